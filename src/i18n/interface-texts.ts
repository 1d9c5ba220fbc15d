import type { Locale } from './locales.ts'
import { WRITTEN } from './texts.ts'

/**
 * Groups of texts that administrators cannot replace: those that the build renders (the office, and
 * the pages "too many at once" and "you are offline") and those in scripts would change only with a
 * build; `catalogue` holds names, `brand` what the shop is called, and `units` is used by other texts.
 */
const FIXED = /^(?:office(?:-.+)?|brand|busy|downloads|offline|own-rating|catalogue|units)$/

const shipped = new Map<Locale, ReadonlyMap<string, string>>()

/** The shipped texts that administrators may replace, by key, unfilled. */
export function shippedTexts(locale: Locale): ReadonlyMap<string, string> {
  const known = shipped.get(locale)
  if (known) return known
  const found = new Map<string, string>()
  for (const [file, texts] of Object.entries(WRITTEN[locale])) {
    if (!FIXED.test(file)) collect(texts, `${file}:`, found)
  }
  shipped.set(locale, found)
  return found
}

function collect(texts: object, prefix: string, found: Map<string, string>): void {
  for (const [name, text] of Object.entries(texts)) {
    if (typeof text === 'string') found.set(prefix + name, text)
    else collect(text, `${prefix}${name}.`, found)
  }
}
