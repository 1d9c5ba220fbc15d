import { PAGES, pagesWith } from '../rules/pages.ts'
import type { SearchPage } from '../rules/suggestions.ts'
import type { Translate } from './compiled-texts.ts'
import { LOCALES, type Locale } from './locales.ts'

/**
 * The pages that the search box suggests, with their titles in one language and in the two others.
 */
export function searchPages(locale: Locale, tIn: (locale: Locale) => Translate): SearchPage[] {
  const others = LOCALES.filter((other) => other !== locale).map(tIn)
  const t = tIn(locale)
  return pagesWith('searched').map((path) => {
    const key = `search:pages.${PAGES[path].searched}` as const
    return { path, title: t(key), otherTitles: others.map((other) => other(key)) }
  })
}
