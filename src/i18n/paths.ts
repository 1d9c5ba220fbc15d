import type { PageAddress } from '../rules/pages.ts'
import { DEFAULT_LOCALE, isLocale, type Locale } from './locales.ts'

/**
 * The path of a page in a language: `/shop` is `/shop`, `/fr/shop`, `/en/shop`; home is `/`, `/fr`,
 * `/en`.
 */
export function pathIn(locale: Locale, page: PageAddress): string {
  return inLanguage(locale, page)
}

/** The same for any path, without a check that the page exists. */
export function inLanguage(locale: Locale, path: string): string {
  if (locale === DEFAULT_LOCALE) return path
  return path === '/' ? `/${locale}` : `/${locale}${path.startsWith('/?') ? path.slice(1) : path}`
}

/** Splits a path into its language and the path that all languages share. */
export function splitPath(pathname: string): { locale: Locale; path: string } {
  const [, first = '', ...rest] = pathname.split('/')
  return isLocale(first) && first !== DEFAULT_LOCALE
    ? { locale: first, path: `/${rest.join('/')}` }
    : { locale: DEFAULT_LOCALE, path: pathname }
}
