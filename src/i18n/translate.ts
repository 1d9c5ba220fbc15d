import { createInstance, type Resource } from 'i18next'
import { fillLimits } from './limits.ts'
import { isLocale, LOCALES, type Locale } from './locales.ts'

// Vite reads the files at build time; no file system is needed when a page renders.
const files = import.meta.glob<Record<string, unknown>>('../../locales/*/*.json', {
  eager: true,
  import: 'default',
})

const resources: Resource = {}
for (const [path, texts] of Object.entries(files)) {
  const [, locale, namespace] = /(\w+)\/([\w-]+)\.json$/.exec(path) ?? []
  if (!isLocale(locale) || !namespace) continue
  const filled = JSON.parse(fillLimits(locale, JSON.stringify(texts)))
  resources[locale] = { ...resources[locale], [namespace]: filled }
}

const instance = createInstance()
await instance.init({
  resources,
  supportedLngs: [...LOCALES],
  fallbackLng: false,
  defaultNS: 'common',
  ns: [...new Set(Object.values(resources).flatMap((namespaces) => Object.keys(namespaces)))],
  initAsync: false,
  interpolation: { escapeValue: false }, // Astro and React escape what they print
  saveMissing: false,
  parseMissingKeyHandler: (key) => {
    throw new Error(`locales: no text for the key "${key}"; add it to locales/*/`)
  },
})

/** `t('shop:title')`, `t('shop:results', { count: 3 })`; a missing key throws, so that a build fails. */
export type Translate = (key: string, values?: Record<string, string | number>) => string

/** The texts of one language. There is no global language: pages of several render side by side. */
export function translator(locale: Locale): Translate {
  const t = instance.getFixedT(locale)
  return (key, values) => t(key, values ?? {}) as string
}

/**
 * The texts of a key and below it as they are written, for an island's props (islands get ready
 * strings, no translation library): `texts(locale, 'cart:toast')`.
 */
export function texts<T extends object>(locale: Locale, key: string): T {
  const value = instance.getFixedT(locale)(key, { returnObjects: true, skipInterpolation: true })
  return value as unknown as T
}
