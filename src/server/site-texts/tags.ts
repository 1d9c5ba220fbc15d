import type { SiteSubject } from '../../contract/office-site-versions.ts'
import { EVERY_PAGE_TAG, sitePageTag } from '../../rules/page-tags.ts'
import type { SitePageName } from '../../rules/site-pages.ts'

/** The tag of the pages that show a subject: facts stand on every page, in its head and foot, and a text of the interface may. */
export function tagOf(subject: SiteSubject): string {
  const [kind, name] = subject.split(' ') as [string, SitePageName]
  return kind === 'page' ? sitePageTag(name) : EVERY_PAGE_TAG
}
