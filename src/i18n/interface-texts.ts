import type { Locale } from './locales.ts'
import { WRITTEN } from './texts.ts'

/**
 * Texts that no change reaches without a build: of the office and the pages "too many at once" and "you are
 * offline", which the build renders, and of scripts. The catalogue's are names, and `units` fills other texts.
 */
const FIXED = /^(?:office(?:-.+)?|busy|downloads|offline|own-rating|catalogue|units)$/

const shipped = new Map<Locale, ReadonlyMap<string, string>>()

/** The texts that may be others than the shipped ones, by their keys, before anything is filled in. */
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
