import type { Locale } from './locales.ts'

/** What stands between a number and its decimals. */
export const DECIMAL_MARK: Readonly<Record<Locale, '.' | ','>> = { ar: '.', fr: ',', en: '.' }
