import { createInstance } from 'i18next'
import { fillText, pluralForm } from './format.ts'
import { DEFAULT_LOCALE, LOCALES, type Locale } from './locales.ts'
import type { TextKey, Texts } from './texts.ts'

/**
 * `t('shop:title')`, `t('shop:results', { count: 3 })`; a missing key throws, so that the build
 * fails.
 */
export type Translate = (key: TextKey, values?: Values) => string
type Values = Readonly<Record<string, string | number>>

/** A text without values, or a function that fills in the values. */
type Compiled = string | ((values: Values) => string)

/**
 * Creates the translators of all languages. i18next resolves each key and plural form once; the
 * rendering of a page then only fills in the values.
 */
export function compiledTexts(texts: Texts): Readonly<Record<Locale, Translate>> {
  const instance = createInstance()
  void instance.init({
    resources: texts,
    supportedLngs: [...LOCALES],
    fallbackLng: false,
    defaultNS: 'common',
    ns: Object.keys(texts[DEFAULT_LOCALE]),
    initAsync: false,
    interpolation: { escapeValue: false }, // Astro and React escape what they print
    saveMissing: false,
    parseMissingKeyHandler: (key) => {
      throw new Error(`locales: no text for the key "${key}"; add it to locales/*/`)
    },
  })

  function translatorOf(locale: Locale): Translate {
    const translate = instance.getFixedT(locale)
    /** By plural form, then by key; texts without a count have the form ''. */
    const forms = new Map<string, Map<TextKey, Compiled>>()

    return (key, values = {}) => {
      const { count } = values
      const form = typeof count === 'number' ? formOf(locale, count) : ''
      const known = forms.get(form) ?? new Map<TextKey, Compiled>()
      forms.set(form, known)
      let text = known.get(key)
      if (text === undefined) {
        text = compile(key, count)
        known.set(key, text)
      }
      return typeof text === 'string' ? text : text(values)
    }

    function compile(key: TextKey, count: string | number | undefined): Compiled {
      const written = translate(key, { count, skipInterpolation: true }) as string
      const plain = written.replace(/\{\{\w+\}\}/g, '')
      // A text with a format or a nested text is left to i18next each time.
      if (/\{\{|\$t\(/.test(plain)) return (given) => translate(key, given) as string
      return plain === written ? written : (given) => fillText(written, given)
    }
  }

  return Object.fromEntries(LOCALES.map((locale) => [locale, translatorOf(locale)])) as Record<
    Locale,
    Translate
  >
}

/**
 * The cache key of a count's plural form. 0 has its own, because i18next allows a `zero` text in
 * every language.
 */
function formOf(locale: Locale, count: number): string {
  return count === 0 ? 'none' : pluralForm(locale, count)
}
