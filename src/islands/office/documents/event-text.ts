import type { DocumentEvent } from '../../../contract/own-document.ts'
import { fillText, formatDate, priceText } from '../../../i18n/format.ts'
import type { Locale } from '../../../i18n/locales.ts'

interface Words {
  /** Of the event: `{{number}}` is a version's, `{{before}}` and `{{after}}` are amounts. */
  readonly text: string
  /** In its place where a discount was taken away. */
  readonly fullPrice: string
  /** Follows where a discount has an end. */
  readonly discountTime: string
}

/** What the history of a document says of an event. */
export function eventText(
  locale: Locale,
  { text, fullPrice, discountTime }: Words,
  { version, amounts }: Pick<DocumentEvent, 'version' | 'amounts'>,
): string {
  if (!amounts) return fillText(text, { number: version ?? '' })
  const { before, after, from, until } = amounts
  if (after === null) return fullPrice
  const values = {
    before: before === null ? '' : priceText(locale, before),
    after: priceText(locale, after),
  }
  const said = fillText(text, values)
  if (from === null || until === null) return said
  const time = fillText(discountTime, {
    from: formatDate(locale, from),
    until: lastDay(locale, until),
  })
  return `${said} ${time}`
}

/** The last day of what ends when the next one begins. */
export function lastDay(locale: Locale, until: string): string {
  return formatDate(locale, new Date(Date.parse(until) - 1).toISOString())
}
