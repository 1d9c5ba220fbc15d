import { EVERY_PAGE_TAG, isSitePageTag } from '../../../rules/page-tags.ts'
import type { PageStore } from '../store/page-store.ts'
import type { RenderAhead } from './render-ahead.ts'
import type { RequestCounts } from './request-counts.ts'

interface RefresherOptions {
  store: PageStore
  ahead: RenderAhead
  counts: RequestCounts | undefined
  /** Renders all pages again in the background, after a change that makes every page stale. */
  renderAll: () => void
  /** How long `changedSoon` collects changes, in milliseconds. */
  gatherFor: number
  report: (message: string, error: unknown) => void
}

/** Keeps the stored pages current: marks changed pages as stale and renders them again in the background. */
export function createRefresher({
  store,
  ahead,
  counts,
  renderAll,
  gatherFor,
  report,
}: RefresherOptions) {
  const gathered = new Set<string>()
  let gathering: NodeJS.Timeout | undefined

  async function changed(tags: readonly string[]): Promise<void> {
    if (tags.length === 0) return
    const queries = store.invalidate(tags)
    // Without listing the pages: their list might fill the memory.
    if (tags.includes(EVERY_PAGE_TAG)) return renderAll()
    try {
      const paths = [...(await store.pagesWith(tags)), ...queries]
      const countOf = (path: string) => counts?.of(path) ?? 0
      const mostRequestedFirst = paths.sort((a, b) => countOf(b) - countOf(a))
      // Rendered at once, since the author of a page looks at it next; there is only one page for each
      // language.
      if (tags.every(isSitePageTag)) await ahead.atOnce(mostRequestedFirst)
      else await ahead.now(mostRequestedFirst)
    } catch (error) {
      // Those pages stay stale, so the next request renders them.
      report(`Pages with ${tags.join(', ')} could not be rendered ahead.`, error)
    }
  }

  function changedSoon(tags: readonly string[]): void {
    const added = tags.filter((tag) => !gathered.has(tag))
    if (added.length === 0) return
    store.invalidateSoon(added)
    for (const tag of added) gathered.add(tag)
    gathering ??= setTimeout(flush, gatherFor).unref()
  }

  function flush(): Promise<void> {
    stop()
    const tags = [...gathered]
    gathered.clear()
    return changed(tags)
  }

  /** Stops; collected changes wait on the disk for the next start. */
  function stop(): void {
    clearTimeout(gathering)
    gathering = undefined
  }

  return { changed, changedSoon, flush, stop }
}
