import type { AstroGlobal } from 'astro'
import { getSitePage, type SitePage } from '../../contract/site.ts'
import { sitePageTag } from '../../rules/page-tags.ts'
import type { SitePageName } from '../../rules/site-pages.ts'

/** Reads a page that administrators write; the rendered page is cached until they change it. */
export function readSitePage(
  { locals, cache }: Pick<AstroGlobal, 'locals' | 'cache'>,
  name: SitePageName,
): Promise<SitePage> {
  const { api, locale } = locals
  cache.set({ tags: [sitePageTag(name)] })
  return api(getSitePage, { params: { name }, query: { locale } })
}
