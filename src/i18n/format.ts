import { formatAmount, type Millimes } from '../rules/money.ts'
import type { Locale } from './locales.ts'

const CURRENCY: Readonly<Record<Locale, string>> = { ar: 'د.ت', fr: 'DT', en: 'TND' }

/**
 * A price in its two parts: the number, in groups of three and left-to-right in a `<bdi>`, and the
 * currency.
 */
export function priceParts(locale: Locale, amount: Millimes): { number: string; currency: string } {
  const number = inGroups(locale, formatAmount(amount, DECIMAL_MARK[locale]))
  return { number, currency: CURRENCY[locale] }
}

/** A text of either direction inside a sentence without markup: isolated by U+2068…U+2069. */
export const isolate = (text: string | number | null): string => `\u2068${text ?? ''}\u2069`

/** An amount inside a sentence without markup, isolated. */
export function priceText(locale: Locale, amount: Millimes): string {
  return isolate(bareAmount(locale, amount))
}

/** The same for an element that isolates its text, such as `<bdi>`. */
export function bareAmount(locale: Locale, amount: Millimes): string {
  const { number, currency } = priceParts(locale, amount)
  return `${number}\u00a0${currency}`
}

/** The same for a limit or the end of a range: without decimals if they are all zeros. */
export function limitText(locale: Locale, amount: Millimes): string {
  return priceText(locale, amount).replace(/[.,]00(?=\u00a0)/, '')
}

/** A whole percentage, `25%`, with the space that French has before the sign. */
export function percentText(locale: Locale, percent: number): string {
  return `${percent}${locale === 'fr' ? '\u00a0' : ''}%`
}

/** Points, such as `12.25` or `14`. */
export function formatPoints(locale: Locale, points: number): string {
  return String(points).replace('.', DECIMAL_MARK[locale])
}

/** An average of stars with one decimal. */
export function formatRating(locale: Locale, rating: number): string {
  return rating.toFixed(1).replace('.', DECIMAL_MARK[locale])
}

const pluralRules = new Map<Locale, Intl.PluralRules>()

/**
 * The plural form of a count in a language. The rules are cached, since they are slow to create.
 */
export function pluralForm(locale: Locale, count: number): Intl.LDMLPluralRule {
  const rules = pluralRules.get(locale) ?? new Intl.PluralRules(locale)
  pluralRules.set(locale, rules)
  return rules.select(count)
}

/** The text for a count, from texts with i18next's plural suffixes: `items_one`, `items_few`, … */
export function pluralText(
  locale: Locale,
  texts: Readonly<Record<string, string>>,
  key: string,
  count: number,
): string {
  const text = texts[`${key}_${pluralForm(locale, count)}`] ?? texts[`${key}_other`] ?? ''
  return text.replaceAll('{{count}}', String(count))
}

/** Replaces each `{{name}}` in a text of an island. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    name in values ? String(values[name]) : whole,
  )
}

/**
 * The name of a teacher on pages in a language: outside Arabic, the name in Latin letters if there
 * is one.
 */
export function calledIn(
  locale: Locale,
  { name, latinName }: { name: string; latinName?: string | undefined },
): string {
  return (locale !== 'ar' && latinName) || name
}

export const DECIMAL_MARK: Readonly<Record<Locale, '.' | ','>> = { ar: '.', fr: ',', en: '.' }

const SEPARATORS: Readonly<Record<Locale, string>> = { ar: '\u00a0', fr: '\u00a0', en: ',' }

/** A number as it is written, of at most two decimals, with its whole part in groups of three. */
function inGroups(locale: Locale, number: string): string {
  let grouped = number
  for (let cut = number.search(/[.,]|$/) - 3; /\d/.test(number.charAt(cut - 1)); cut -= 3) {
    grouped = grouped.slice(0, cut) + SEPARATORS[locale] + grouped.slice(cut)
  }
  return grouped
}

/** A whole number in groups of three, with Latin digits: `12 400`, in English `12,400`. */
export function groupedNumber(locale: Locale, value: number): string {
  return isolate(inGroups(locale, String(value)))
}
