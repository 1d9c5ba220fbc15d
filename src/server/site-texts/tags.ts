import type { TextSubject } from '../../contract/office-site-versions.ts'
import { EVERY_PAGE_TAG, sitePageTag } from '../../rules/page-tags.ts'
import type { SitePageName } from '../../rules/site-pages.ts'

/** The tag of the pages that show a subject: facts stand on every page, in its head and foot. */
export function tagOf(subject: TextSubject): string {
  const [kind, name] = subject.split(' ') as [string, SitePageName]
  return kind === 'facts' ? EVERY_PAGE_TAG : sitePageTag(name)
}
