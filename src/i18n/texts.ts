import { SITE } from '../site.ts'
import { factFiller, type ShopNames } from './facts.ts'
import * as ar from './languages/ar.ts'
import * as en from './languages/en.ts'
import * as fr from './languages/fr.ts'
import { LOCALES, type Locale } from './locales.ts'
import type { Arabic, TextGroup, TextKey, TextsAt, Translated } from './text-keys.ts'

/** All texts, in every language. */
export type Texts = Readonly<Record<Locale, Arabic>>

/** Texts that replace shipped ones, by key: `shop:title`, `shop:results_few`. */
export type OwnTexts = Readonly<Record<Locale, Readonly<Record<string, string>>>>

/** The texts as written in `locales`, before anything is filled in. */
// The type makes a missing key of a language a compile error here.
export const WRITTEN: Readonly<Record<Locale, Translated>> = { ar, fr, en }

/** All texts of a shop of the first brand; each language has its own plural forms. */
export const TEXTS = textsOf(SITE)

/**
 * All texts, filled with the facts from the rules and the shop's name, and some shipped ones
 * replaced; unknown keys are ignored.
 */
export function textsOf(shop: ShopNames, own?: OwnTexts): Texts {
  const texts = LOCALES.map((locale) => {
    const fill = factFiller(locale, WRITTEN[locale].units.counts, shop)
    const filled = JSON.parse(JSON.stringify(WRITTEN[locale]), (_, value) =>
      typeof value === 'string' ? fill(value) : value,
    )
    for (const [key, text] of Object.entries(own?.[locale] ?? {})) {
      put(filled, key.split(/[:.]/), fill(text))
    }
    return [locale, filled]
  })
  return Object.fromEntries(texts)
}

function put(texts: object, path: readonly string[], text: string): void {
  const last = path.at(-1) ?? ''
  let at: unknown = texts
  for (const name of path.slice(0, -1)) at = inside(at, name)
  if (typeof inside(at, last) === 'string') Object.assign(at as object, { [last]: text })
}

function inside(texts: unknown, name: string): unknown {
  const isThere = typeof texts === 'object' && texts !== null && Object.hasOwn(texts, name)
  return isThere ? (texts as Record<string, unknown>)[name] : undefined
}

/**
 * The texts of a group, with `{{values}}` and plural forms, for islands and mails, which fill them
 * themselves. Throws if there is no such group.
 */
export function textsIn<Group extends TextGroup>(
  locale: Locale,
  group: Group,
  texts = TEXTS,
): TextsAt<Group> {
  return at(texts, locale, group) as TextsAt<Group>
}

/** An unfilled text; throws if there is none. */
export function textIn(locale: Locale, key: TextKey): string {
  const text = at(TEXTS, locale, key)
  if (typeof text !== 'string') throw new Error(`locales/${locale} has no text ${key}`)
  return text
}

function at(texts: Texts, locale: Locale, path: string): unknown {
  let found: unknown = texts[locale]
  for (const name of path.split(/[:.]/)) found = (found as Record<string, unknown>)?.[name]
  if (found === undefined) throw new Error(`locales/${locale} has nothing at ${path}`)
  return found
}
