import type { APIRoute } from 'astro'
import { isLocale } from '../i18n/locales.ts'
import { searchPages } from '../i18n/search-pages.ts'
import { SITE_TAG } from '../rules/page-tags.ts'

/** The pages that the search box suggests in each language; a box fetches them when it is touched. */
export const GET: APIRoute = ({ params: { locale }, locals: { tIn, facts }, cache }) => {
  if (!isLocale(locale)) return new Response(null, { status: 404 })
  cache.set({ tags: [SITE_TAG] })
  return Response.json(searchPages(locale, tIn, facts.emptyPages))
}
