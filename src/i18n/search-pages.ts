import { type FixedPath, isEmpty, PAGES, pagesWith } from '../rules/pages.ts'
import type { SitePageName } from '../rules/site-pages.ts'
import type { SearchPage } from '../rules/suggestions.ts'
import type { Translate } from './compiled-texts.ts'
import { LOCALES, type Locale } from './locales.ts'
import type { TextKey } from './texts.ts'

/** The texts besides `search:pages` by which a page is found: the titles that it shows. */
const SHOWN_TITLES: Partial<Record<FixedPath, TextKey>> = {
  '/shop': 'shop:title',
  '/programme': 'programme:title',
  '/teachers': 'content:teachers.title',
  '/contact': 'content:contact.title',
  '/checkout': 'checkout:title',
  '/wishlist': 'wishlist:page.title',
  '/my-documents': 'library:page.title',
  '/charging': 'charging:title',
  '/chat': 'chat:title',
  '/login': 'account:login.title',
}

/** What people call a page in every language. */
const SHORT_TITLES: Partial<Record<FixedPath, string>> = { '/faq': 'FAQ' }

/**
 * The pages that the search box suggests, except those of `emptyPages`, with their titles in one language, and the others by
 * which they are found in any.
 */
export function searchPages(
  locale: Locale,
  tIn: (locale: Locale) => Translate,
  emptyPages: readonly SitePageName[] = [],
): SearchPage[] {
  const paths = pagesWith('searched').filter((path) => !isEmpty(path, emptyPages))
  return paths.map((path) => {
    const key = `search:pages.${PAGES[path].searched}` as const
    const shown = SHOWN_TITLES[path]
    const title = tIn(locale)(key)
    const titles = LOCALES.map(tIn).flatMap((t) => [t(key), shown ? t(shown) : ''])
    const others = new Set([...titles, SHORT_TITLES[path] ?? ''])
    return { path, title, otherTitles: [...others].filter((each) => each && each !== title) }
  })
}
