import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../rules/languages.ts'

export const LOCALES = LANGUAGES
export type Locale = Language
export const DEFAULT_LOCALE = DEFAULT_LANGUAGE

/** Each language's name in itself, for the picker. */
export const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = {
  ar: 'العربية',
  fr: 'Français',
  en: 'English',
}

export function dirOf(locale: Locale): 'rtl' | 'ltr' {
  return locale === 'ar' ? 'rtl' : 'ltr'
}

/** The attributes of a text whose language may differ from its page's. */
export function langOf(locale: Locale | undefined, page: Locale) {
  return locale === undefined || locale === page ? {} : { lang: locale, dir: dirOf(locale) }
}

export function isLocale(value: unknown): value is Locale {
  return LOCALES.includes(value as Locale)
}
