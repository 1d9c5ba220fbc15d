import { fillFacts } from './facts.ts'
import * as ar from './languages/ar.ts'
import * as en from './languages/en.ts'
import * as fr from './languages/fr.ts'
import { LOCALES, type Locale } from './locales.ts'
import type { Arabic, TextGroup, TextKey, TextsAt, Translated } from './text-keys.ts'

// The type makes a key that a language lacks an error here.
const written: Readonly<Record<Locale, Translated>> = { ar, fr, en }

/** Every text, filled with the facts of the rules; each language has its own plural forms. */
export const TEXTS = Object.fromEntries(
  LOCALES.map((locale) => {
    const { units } = written[locale]
    return [locale, JSON.parse(fillFacts(locale, units.counts, JSON.stringify(written[locale])))]
  }),
) as Readonly<Record<Locale, Arabic>>

/**
 * The unfilled texts of a group, with `{{values}}` and plural forms, for islands and mails, which fill
 * them themselves. Throws where there is no such group.
 */
export function textsIn<Group extends TextGroup>(locale: Locale, group: Group): TextsAt<Group> {
  return at(locale, group) as TextsAt<Group>
}

/** An unfilled text; throws if there is none. */
export function textIn(locale: Locale, key: TextKey): string {
  const text = at(locale, key)
  if (typeof text !== 'string') throw new Error(`locales/${locale} has no text ${key}`)
  return text
}

function at(locale: Locale, path: string): unknown {
  let found: unknown = TEXTS[locale]
  for (const name of path.split(/[:.]/)) found = (found as Record<string, unknown>)?.[name]
  if (found === undefined) throw new Error(`locales/${locale} has nothing at ${path}`)
  return found
}
