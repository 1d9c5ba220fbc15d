import './documents.css'
import type { DocumentEvent, OwnDocument } from '../../contract/own-document.ts'
import { formatDate } from '../../i18n/dates.ts'
import { fillText, priceText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { useLocale } from '../../islands/parts/island.tsx'
import { MiniCover } from '../../islands/parts/MiniCover.tsx'
import type { PageAddress } from '../../rules/pages.ts'
import { coverNote } from '../../rules/pictures.ts'

interface TitleProps {
  document: Parameters<typeof coverNote>[0] & Pick<OwnDocument, 'title' | 'matiere'>
  to: PageAddress
  untitled: string
}

/** The cover and the title of a document in a list, as a link. */
export function DocumentTitle({ document, to, untitled }: TitleProps) {
  const { title, matiere } = document
  return (
    <a className="own-title row gap-3 touch" href={pathIn(useLocale(), to)}>
      <MiniCover cover={coverNote({ ...document, matiereCode: matiere?.code })} />
      {title ? (
        <span className="clamp along" dir="auto">
          {title}
        </span>
      ) : (
        <span className="soft">{untitled}</span>
      )}
    </a>
  )
}

interface Words {
  /**
   * The event's text, with a version's `{{number}}`, or the amounts `{{before}}` and `{{after}}`.
   */
  readonly text: string
  /** Replaces `text` if a discount was removed. */
  readonly fullPrice: string
  /** Appended if the discount ends on a date. */
  readonly discountTime: string
}

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
  const sentence = fillText(text, values)
  if (from === null || until === null) return sentence
  const time = fillText(discountTime, {
    from: formatDate(locale, from),
    until: lastDay(locale, until),
  })
  return `${sentence} ${time}`
}

/** The last day of a period; `until` is the exclusive end of the period. */
export function lastDay(locale: Locale, until: string): string {
  return formatDate(locale, new Date(Date.parse(until) - 1).toISOString())
}
