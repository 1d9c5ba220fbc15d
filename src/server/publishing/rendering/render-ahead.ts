import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

const { eventLoopUtilization } = performance

interface RenderAheadOptions {
  /** Renders a page if it is missing or stale; true if it was. */
  render(path: string): Promise<boolean>
  /** Whether visitors wait for renderings. */
  isBusy(): boolean
  /** Whether there were visitors a moment ago. */
  isVisited(): boolean
  onError(path: string, error: unknown): void
  /** How many pages are rendered together while there are no visitors; by default 4. */
  together?: number | undefined
}

/** The longest stretch of work without a rest, in milliseconds. */
const STINT = 5
/**
 * While there are visitors, a rest lasts this many times as long as the work before it: `quiet` if they leave
 * the process idle, `busy` if they keep it busy for half of the time or more.
 */
const REST = { quiet: 1, busy: 9 }
/**
 * The weight of the latest rest in the measure of how busy visitors keep the process; a single rest is too
 * short to measure.
 */
const LATEST = 0.2
/** How often a waiting renderer checks whether it may go on, in milliseconds. */
const AGAIN = 50
/** A timer that fires this many milliseconds late shows that the process or the machine is busy. */
const LATE = 30

export type RenderAhead = ReturnType<typeof createRenderAhead>

/** One page is rendered while others wait for the database or the disk. */
const TOGETHER = 4

/**
 * Renders pages in the background: one at a time and with rests while there are visitors, and none while
 * pages are rendered for visitors or timers fire late.
 */
export function createRenderAhead(options: RenderAheadOptions) {
  const { render, isBusy, isVisited, onError, together = TOGETHER } = options
  const stopping = new AbortController()
  const { signal } = stopping
  /** Pages whose data changed, which come before all others. */
  const urgent = new Map<string, PromiseWithResolvers<void>>()
  let rest: AsyncIterator<string> | Iterator<string> | undefined
  let restDone: PromiseWithResolvers<number> | undefined
  let rendered = 0
  let worked = 0
  /** The share of the time that visitors keep the process busy, 0 to 1, as seen during rests. */
  let visitorsShare = 0
  let running: Promise<void> | undefined
  const promptly = new Set<Promise<void>>()

  function start(): void {
    if (signal.aborted) void stop()
    else running ??= work().finally(end)
  }

  function end(): void {
    running = undefined
    // Something may have been added since the last check.
    if (urgent.size > 0 || rest) start()
  }

  async function stop(): Promise<void> {
    stopping.abort()
    for (const { resolve } of urgent.values()) resolve()
    urgent.clear()
    rest = undefined
    await Promise.all([running, ...promptly])
    restDone?.resolve(rendered)
  }

  async function work(): Promise<void> {
    while (!signal.aborted) {
      await yieldToVisitors()
      const before = eventLoopUtilization()
      if (!(await renderNext())) return
      // Excludes the time in which the rendering waited for the database or the disk and visitors had the
      // process.
      worked += eventLoopUtilization(before).active
    }
  }

  /** Renders one page, or a few; false if there is nothing left to do. */
  async function renderNext(): Promise<boolean> {
    const most = isVisited() ? 1 : together
    const changed = firstOf(urgent, most)
    if (changed.length > 0) {
      for (const [path] of changed) urgent.delete(path)
      await Promise.all(
        changed.map(async ([path, { resolve }]) => {
          await renderOrReport(path)
          resolve()
        }),
      )
      return true
    }
    const paths = rest
    if (!paths || signal.aborted) return false
    const next: string[] = []
    let isOver = false
    try {
      while (next.length < most && !isOver) {
        const { done, value } = await paths.next()
        if (done) isOver = true
        else next.push(value)
      }
    } catch (error) {
      isOver = true
      onError('', error)
    }
    const wereRendered = await Promise.all(next.map(renderOrReport))
    rendered += wereRendered.filter(Boolean).length
    if (!isOver) return true
    if (rest === paths) {
      rest = undefined
      restDone?.resolve(rendered)
    }
    return true
  }

  async function renderAll(paths: Iterable<string>): Promise<void> {
    for (const path of paths) if (!signal.aborted) await renderOrReport(path)
  }

  async function renderOrReport(path: string): Promise<boolean> {
    try {
      return await render(path)
    } catch (error) {
      onError(path, error)
      return false
    }
  }

  async function yieldToVisitors(): Promise<void> {
    if (worked < STINT && !isBusy()) return
    await nextTurn()
    let pause = isVisited() ? worked * restFactor() : 0
    worked = 0
    while ((pause > 0 || isBusy()) && !signal.aborted) {
      const from = performance.now()
      const before = eventLoopUtilization()
      await sleep(pause || AGAIN, undefined, { ref: false, signal }).catch(() => {})
      visitorsShare += LATEST * (eventLoopUtilization(before).utilization - visitorsShare)
      pause = performance.now() - from - (pause || AGAIN) > LATE ? AGAIN : 0
    }
  }

  function restFactor(): number {
    return REST.quiet + (REST.busy - REST.quiet) * Math.min(1, visitorsShare / 0.5)
  }

  return {
    /** Renders these few pages immediately, beside those that wait; resolves when they are done, or at the stop. */
    async atOnce(paths: Iterable<string>): Promise<void> {
      const work = renderAll(paths)
      promptly.add(work)
      await work.finally(() => promptly.delete(work))
    },
    /** Renders these pages before anything else; resolves when they are done, or at the stop. */
    async now(paths: Iterable<string>): Promise<void> {
      const waits = [...paths].map((path) => {
        const wait = urgent.get(path) ?? Promise.withResolvers<void>()
        urgent.set(path, wait)
        return wait.promise
      })
      start()
      await Promise.all(waits)
    },
    /** Renders the missing and stale ones of these pages; resolves to their number. */
    all(paths: Iterable<string> | AsyncIterable<string>): Promise<number> {
      restDone?.resolve(rendered)
      rest =
        Symbol.asyncIterator in paths ? paths[Symbol.asyncIterator]() : paths[Symbol.iterator]()
      rendered = 0
      restDone = Promise.withResolvers()
      const { promise } = restDone
      start()
      return promise
    },
    /** Stops after the page being rendered, and resolves then. */
    stop,
  }
}

function firstOf<T>(items: Iterable<T>, most: number): T[] {
  const first: T[] = []
  for (const item of items) if (first.push(item) >= most) break
  return first
}
