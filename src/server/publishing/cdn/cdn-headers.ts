import { EVERY_PAGE_TAG, pathTag } from '../../../rules/page-tags.ts'
import type { CdnConfig } from '../../config/cdn.ts'

/** The longest list of tags that all CDNs read to its end. */
const TAGS_MAX_BYTES = 1024

/** A tag in a form that every CDN accepts; tags that become equal are purged together. */
export const cdnTag = (tag: string): string => tag.replaceAll(/[^A-Za-z0-9._-]/g, '-')

/**
 * The headers that make a CDN keep a stored page until one of its tags is purged, and browsers
 * revalidate it each time; undefined for a page with too many tags, which the CDN would not purge.
 */
export function cdnHeaders(
  { seconds }: CdnConfig,
  page: { path: string; tags: readonly string[]; maxAge?: number | undefined },
): Readonly<Record<string, string>> | undefined {
  const tags = [...new Set([EVERY_PAGE_TAG, pathTag(page.path), ...page.tags].map(cdnTag))]
  const listed = tags.join(',')
  if (listed.length > TAGS_MAX_BYTES) return
  return {
    'cache-control': `public, max-age=0, s-maxage=${Math.min(seconds, page.maxAge ?? seconds)}`,
    'cache-tag': listed,
    'cdn-tag': listed,
    'surrogate-key': tags.join(' '),
  }
}
