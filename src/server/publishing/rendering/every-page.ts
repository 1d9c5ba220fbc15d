import type { Api } from '../../../client/api.ts'
import { getFacts, getInterfaceTexts } from '../../../contract/site.ts'
import { EVERY_PAGE_TAG } from '../../../rules/page-tags.ts'
import type { PageStore } from '../store/page-store.ts'

const PATHS: ReadonlySet<string> = new Set([getFacts.path, getInterfaceTexts.path])
const TAGS = [EVERY_PAGE_TAG]

/**
 * An API that reads what stands on every page, the shop's facts and texts, once until it changes. Calls are
 * known by their path: pages are compiled apart from the server.
 */
export function rememberEveryPage(
  api: Api,
  { clock, isStale }: Pick<PageStore, 'clock' | 'isStale'>,
): Api {
  const known = new Map<string, { clock: number; result: Promise<unknown> }>()
  return (call, input, options) => {
    const { path } = call
    if (!PATHS.has(path)) return api(call, input, options)
    const found = known.get(path)
    if (found && !isStale({ tags: TAGS, clock: found.clock })) return found.result as never
    const read = { clock: clock(), result: api(call, input, options) }
    known.set(path, read)
    read.result.catch(() => {
      if (known.get(path) === read) known.delete(path)
    })
    return read.result
  }
}
