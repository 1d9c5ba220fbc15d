import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** Lists paths, starting anew at each call. */
export type PathSource = () => Iterable<string> | AsyncIterable<string>

interface RenderAheadOptions {
  /** Renders a page if it is missing or stale; true if it was. */
  render(path: string): Promise<boolean>
  /** Whether visitors wait for renderings. */
  isBusy(): boolean
  onError(path: string, error: unknown): void
}

/** How often a waiting renderer checks whether it may go on, in milliseconds. */
const AGAIN_MS = 20

/**
 * Renders pages in the background, one at a time and none while pages are rendered for visitors:
 * first those that changed, then a list.
 */
export function createRenderAhead({ render, isBusy, onError }: RenderAheadOptions) {
  const changed = new Map<string, PromiseWithResolvers<void>>()
  let list: { paths: AsyncIterator<string> | Iterator<string>; rendered: number } | undefined
  let listDone: PromiseWithResolvers<number> | undefined
  let running: Promise<void> | undefined
  let isStopped = false

  function start(): void {
    if (isStopped) void stop()
    else running ??= work().finally(end)
  }

  function end(): void {
    running = undefined
    // Something may have been added since the last check.
    if (changed.size > 0 || list) start()
  }

  async function work(): Promise<void> {
    while (!isStopped && (changed.size > 0 || list)) {
      await nextTurn()
      while (isBusy() && !isStopped) await sleep(AGAIN_MS)
      if (!isStopped) await renderNext()
    }
  }

  async function renderNext(): Promise<void> {
    const [first] = changed
    if (first) {
      const [path, { resolve }] = first
      changed.delete(path)
      await renderOrReport(path)
      resolve()
    } else if (list) await renderListed(list)
  }

  async function renderListed(present: NonNullable<typeof list>): Promise<void> {
    try {
      const { done, value } = await present.paths.next()
      if (!done) {
        if (await renderOrReport(value)) present.rendered++
        return
      }
    } catch (error) {
      onError('', error)
    }
    if (list === present) finishList()
  }

  async function renderOrReport(path: string): Promise<boolean> {
    try {
      return await render(path)
    } catch (error) {
      onError(path, error)
      return false
    }
  }

  function finishList(): void {
    listDone?.resolve(list?.rendered ?? 0)
    list = undefined
  }

  async function stop(): Promise<void> {
    isStopped = true
    for (const { resolve } of changed.values()) resolve()
    changed.clear()
    await running
    finishList()
  }

  return {
    /** Renders these pages before anything else; resolves when they are done, or at the stop. */
    async now(paths: Iterable<string>): Promise<void> {
      const waits = [...paths].map((path) => {
        const wait = changed.get(path) ?? Promise.withResolvers<void>()
        changed.set(path, wait)
        return wait.promise
      })
      start()
      await Promise.all(waits)
    },
    /** Renders the missing and stale ones of these pages, in place of an earlier list; resolves to their number. */
    all(paths: ReturnType<PathSource>): Promise<number> {
      finishList()
      const iterator =
        Symbol.asyncIterator in paths ? paths[Symbol.asyncIterator]() : paths[Symbol.iterator]()
      list = { paths: iterator, rendered: 0 }
      listDone = Promise.withResolvers()
      const { promise } = listDone
      start()
      return promise
    },
    /** Stops after the page being rendered, and resolves then. */
    stop,
  }
}
