import { createInstance } from 'i18next'
import { LOCALES, type Locale } from './locales.ts'
import type { Localization, TextGroup, TextKey, TextsAt } from './text-keys.ts'
import { TEXTS, textsIn } from './texts.ts'

const instance = createInstance()
await instance.init({
  resources: TEXTS,
  supportedLngs: [...LOCALES],
  fallbackLng: false,
  defaultNS: 'common',
  ns: Object.keys(TEXTS.ar),
  initAsync: false,
  interpolation: { escapeValue: false }, // Astro and React escape what they print
  saveMissing: false,
  parseMissingKeyHandler: (key) => {
    throw new Error(`locales: no text for the key "${key}"; add it to locales/*/`)
  },
})

/** `t('shop:title')`, `t('shop:results', { count: 3 })`; a missing key throws, so that a build fails. */
export type Translate = (key: TextKey, values?: Record<string, string | number>) => string

/** The translator of one language. It is no global: pages in several languages render concurrently. */
export function translator(locale: Locale): Translate {
  const t = instance.getFixedT(locale)
  return (key, values) => t(key, values ?? {}) as string
}

/** The translator that pages and components use for the page's language; it is in `Astro.locals`. */
export interface Localized {
  locale: Locale
  t: Translate
  texts: <Group extends TextGroup>(group: Group) => TextsAt<Group>
  /**
   * The props of an island: `<Checkout {...localize(Checkout)} />`. With the `errors` that its calls
   * answer (`errorCodesOf`), it gets the sentences of these alone.
   */
  localize: <Group extends TextGroup>(
    island: { needs: readonly Group[] },
    errors?: ReadonlySet<string>,
  ) => Localization<Group>
}

/** The language of a page, and its texts. */
export function localized(locale: Locale): Localized {
  return {
    locale,
    t: translator(locale),
    texts: (group) => textsIn(locale, group),
    localize: ({ needs }, errors) => localization(locale, needs, errors),
  }
}

/** The codes of failures that no call declares: those of the client, and unexpected ones of the server. */
const ALWAYS: readonly string[] = ['server_error', 'network', 'bad_answer', 'unknown']

function localization<Group extends TextGroup>(
  locale: Locale,
  needs: readonly Group[],
  errors: ReadonlySet<string> | undefined,
) {
  const isNeeded = ([code]: [string, unknown]) =>
    !errors || errors.has(code) || ALWAYS.includes(code)
  const texts = needs.map((group) => {
    const all = textsIn(locale, group)
    return [
      group,
      group === 'errors:codes' ? Object.fromEntries(Object.entries(all).filter(isNeeded)) : all,
    ]
  })
  return { locale, ...Object.fromEntries(texts) } as Localization<Group>
}
