import type { InterfaceTextSubject, TextSubject } from '../../contract/office-site-versions.ts'
import { EVERY_PAGE_TAG, sitePageTag } from '../../rules/page-tags.ts'
import type { SitePageName } from '../../rules/site-pages.ts'

/** The tag of the pages that show a subject; facts and texts of the interface are on every page. */
export function tagOf(subject: TextSubject | InterfaceTextSubject): string {
  const [kind, name] = subject.split(' ') as [string, SitePageName]
  return kind === 'page' ? sitePageTag(name) : EVERY_PAGE_TAG
}
