import type { Locale } from './locales.ts'

/** The decimal separator of each language. */
export const DECIMAL_MARK: Readonly<Record<Locale, '.' | ','>> = { ar: '.', fr: ',', en: '.' }
