import { LRUCache } from 'lru-cache'
import { type Api, type Loose, requestFor } from '../../../client/api.ts'
import type { AnyCall } from '../../../contract/call.ts'
import * as catalogue from '../../../contract/catalogue.ts'
import * as ratings from '../../../contract/ratings.ts'
import * as references from '../../../contract/references.ts'
import { getSample } from '../../../contract/samples.ts'
import { getFacts, getInterfaceTexts } from '../../../contract/site.ts'
import { EVERY_PAGE_TAG } from '../../../rules/page-tags.ts'
import type { PageStore } from '../store/page-store.ts'

const EVERY_PAGE = pathsOf(getFacts, getInterfaceTexts)
const EVERY_PAGE_TAGS = [EVERY_PAGE_TAG]

/** Data that a page of the catalogue reads in the same way for each language. */
const EVERY_LANGUAGE = pathsOf(
  catalogue.getDocument,
  catalogue.getTeacher,
  catalogue.listTeacherDocuments,
  catalogue.searchDocuments,
  ratings.listCommentedDocumentRatings,
  ratings.listCommentedTeacherRatings,
  getSample,
  references.listCategories,
  references.listMatieres,
  references.listClasses,
)

/**
 * How many reads are shared, and for how many milliseconds each: a page's languages are rendered one after the
 * other.
 */
const SHARED = { max: 64, ttl: 500 }

interface Reading {
  clock: number
  result: Promise<unknown>
}

/** The kept reads, by the address of their data. */
interface Readings {
  get(path: string): Reading | undefined
  set(path: string, reading: Reading): unknown
  delete(path: string): unknown
}

/**
 * An API that shares reads. It reads the shop's facts and texts, which are on every page, once until they
 * change; data that every language shows, it reads once for pages that are rendered at the same time. A shared
 * read is used only until anything changes, so that no page is staler than its data. Calls are identified by
 * their path, since pages are compiled apart from the server.
 */
export function shareReads(
  api: Api,
  { clock, isStale }: Pick<PageStore, 'clock' | 'isStale'>,
): Api {
  const everyPage = new Map<string, Reading>()
  const everyLanguage = new LRUCache<string, Reading>(SHARED)

  function share<T>(
    kept: Readings,
    path: string,
    isTrue: (at: number) => boolean,
    read: () => T,
  ): T {
    const found = kept.get(path)
    if (found && isTrue(found.clock)) return found.result as T
    const reading = { clock: clock(), result: read() as Promise<unknown> }
    kept.set(path, reading)
    reading.result.catch(() => {
      if (kept.get(path) === reading) kept.delete(path)
    })
    return reading.result as T
  }

  return (call, input, options) => {
    const read = () => api(call, input, options)
    if (EVERY_PAGE.has(call.path)) {
      const isTrue = (at: number) => !isStale({ tags: EVERY_PAGE_TAGS, clock: at })
      return share(everyPage, call.path, isTrue, read)
    }
    if (EVERY_LANGUAGE.has(call.path)) {
      const { path } = requestFor(call, input as Loose)
      return share(everyLanguage, path, (at) => at === clock(), read)
    }
    return read()
  }
}

function pathsOf(...calls: AnyCall[]): ReadonlySet<string> {
  return new Set(calls.map(({ path }) => path))
}
