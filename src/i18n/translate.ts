import { createInstance, type Resource } from 'i18next'
import * as ar from './languages/ar.ts'
import * as en from './languages/en.ts'
import * as fr from './languages/fr.ts'
import { fillLimits } from './limits.ts'
import { LOCALES, type Locale } from './locales.ts'
import type { TextGroup, TextKey, TextsAt, Translated } from './text-keys.ts'

// Typed, so that a key that a language lacks is an error here.
const written: Readonly<Record<Locale, Translated>> = { ar, fr, en }

const resources: Resource = Object.fromEntries(
  LOCALES.map((locale) => [
    locale,
    JSON.parse(fillLimits(locale, JSON.stringify(written[locale]))),
  ]),
)

const instance = createInstance()
await instance.init({
  resources,
  supportedLngs: [...LOCALES],
  fallbackLng: false,
  defaultNS: 'common',
  ns: Object.keys(ar),
  initAsync: false,
  interpolation: { escapeValue: false }, // Astro and React escape what they print
  saveMissing: false,
  parseMissingKeyHandler: (key) => {
    throw new Error(`locales: no text for the key "${key}"; add it to locales/*/`)
  },
})

/** `t('shop:title')`, `t('shop:results', { count: 3 })`; a missing key throws, so that a build fails. */
export type Translate = (key: TextKey, values?: Record<string, string | number>) => string

/** The texts of one language. There is no global language: pages of several render side by side. */
export function translator(locale: Locale): Translate {
  const t = instance.getFixedT(locale)
  return (key, values) => t(key, values ?? {}) as string
}

/**
 * The texts of a group as they are written, with `{{values}}` and plural forms, for what fills them
 * itself: an island, a mail.
 */
export function textsIn<Group extends TextGroup>(locale: Locale, group: Group): TextsAt<Group> {
  const value = instance.getFixedT(locale)(group, { returnObjects: true, skipInterpolation: true })
  return value as unknown as TextsAt<Group>
}

/** What pages and components say in the language of the page; `Astro.locals` has it. */
export interface Localized {
  locale: Locale
  t: Translate
  texts: <Group extends TextGroup>(group: Group) => TextsAt<Group>
}

/** The language of a page, and its texts. */
export function localized(locale: Locale): Localized {
  return { locale, t: translator(locale), texts: (group) => textsIn(locale, group) }
}
