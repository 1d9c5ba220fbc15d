import { LOCALES, type Locale } from '../i18n/locales.ts'
import { translator } from '../i18n/translate.ts'
import type { SearchPage } from '../rules/suggestions.ts'

/** The 13 pages of the search box: the path, and the key of the title. */
const PAGES = [
  ['/', 'home'],
  ['/shop', 'shop'],
  ['/teachers', 'teachers'],
  ['/team', 'team'],
  ['/about', 'about'],
  ['/contact', 'contact'],
  ['/faq', 'faq'],
  ['/checkout', 'checkout'],
  ['/wishlist', 'wishlist'],
  ['/my-documents', 'myDocuments'],
  ['/charging', 'charging'],
  ['/chat', 'chat'],
  ['/login', 'login'],
] as const

// Names only: nothing of the pages themselves is built in.
const FILES = new Set(Object.keys(import.meta.glob('../pages/**/*.astro')))

function exists(path: string): boolean {
  const file = path === '/' ? '/index' : path
  return FILES.has(`../pages${file}.astro`) || FILES.has(`../pages${file}/index.astro`)
}

/** The pages that the search box knows, titled in a language and in the two others. */
export function searchPages(locale: Locale): SearchPage[] {
  const others = LOCALES.filter((other) => other !== locale).map(translator)
  const t = translator(locale)
  return PAGES.filter(([path]) => exists(path)).map(([path, key]) => ({
    path,
    title: t(`search:pages.${key}`),
    otherTitles: others.map((other) => other(`search:pages.${key}`)),
  }))
}
