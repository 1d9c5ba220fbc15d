import type { Api } from '../../../client/api.ts'
import {
  listCategories,
  listClasses,
  listKinds,
  listMatieres,
} from '../../../contract/references.ts'
import { getFacts, getInterfaceTexts } from '../../../contract/site.ts'
import { CATALOGUE_TAG, EVERY_PAGE_TAG, REFERENCE_TAG } from '../../../rules/page-tags.ts'
import type { PageStore } from '../store/page-store.ts'

const EVERY_PAGE = [EVERY_PAGE_TAG]
/** Which names a list has depends on what is for sale, too. */
const LISTS = [REFERENCE_TAG, CATALOGUE_TAG]

/**
 * What many pages show, by the path of its call, and the tags of which one changes with it. Calls are
 * identified by their path, since pages are compiled apart from the server.
 */
const SHARED: ReadonlyMap<string, readonly string[]> = new Map([
  [getFacts.path, EVERY_PAGE],
  [getInterfaceTexts.path, EVERY_PAGE],
  [listCategories.path, LISTS],
  [listMatieres.path, LISTS],
  [listClasses.path, LISTS],
  [listKinds.path, LISTS],
])

/**
 * An API that reads the shop's facts, texts and lists of names once until they change. They are
 * read again by the first page that is rendered after a change, so that no page is staler than its
 * data.
 */
export function shareReads(
  api: Api,
  { clock, isStale }: Pick<PageStore, 'clock' | 'isStale'>,
): Api {
  const readings = new Map<string, { clock: number; result: Promise<unknown> }>()

  return (call, input, options) => {
    const tags = SHARED.get(call.path)
    if (!tags) return api(call, input, options)
    const found = readings.get(call.path)
    if (found && !isStale({ tags, clock: found.clock })) {
      return found.result as ReturnType<typeof api<typeof call>>
    }
    const result = api(call, input, options)
    const reading = { clock: clock(), result }
    readings.set(call.path, reading)
    result.catch(() => {
      if (readings.get(call.path) === reading) readings.delete(call.path)
    })
    return result
  }
}
