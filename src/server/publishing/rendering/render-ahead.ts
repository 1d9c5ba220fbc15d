import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

export interface RenderAheadOptions {
  /** Renders a page where it is missing or stale; true where it was. */
  render(path: string): Promise<boolean>
  /** Whether visitors wait for renderings of their own. */
  isBusy(): boolean
  /** Whether there were visitors in the last moments. */
  isVisited(): boolean
  onError(path: string, error: unknown): void
}

/** The longest stretch of work without a rest, in milliseconds. */
const STINT = 5
/** While there are visitors, a rest lasts so many times as long as the work before it. */
const REST = 9
/** How often a renderer that must wait looks again, in milliseconds. */
const AGAIN = 50
/** A timer that fires so many milliseconds late: the process or the machine is busy. */
const LATE = 30

/**
 * Renders pages in the background: one at a time, with rests while there are visitors, and not at all
 * while renderings for visitors are under way or the process is late.
 */
export class RenderAhead {
  readonly #options: RenderAheadOptions
  readonly #stop = new AbortController()
  /** Pages whose data changed, before the rest. */
  readonly #urgent = new Map<string, PromiseWithResolvers<void>>()
  #rest: AsyncIterator<string> | Iterator<string> | undefined
  #restDone: PromiseWithResolvers<number> | undefined
  #rendered = 0
  #worked = 0
  #running: Promise<void> | undefined

  constructor(options: RenderAheadOptions) {
    this.#options = options
  }

  /** Renders these before anything else; resolves when they are done, or at the stop. */
  async now(paths: Iterable<string>): Promise<void> {
    const waits = [...paths].map((path) => {
      const wait = this.#urgent.get(path) ?? Promise.withResolvers<void>()
      this.#urgent.set(path, wait)
      return wait.promise
    })
    this.#start()
    await Promise.all(waits)
  }

  /** Renders the missing and stale ones of these pages; resolves to how many those were. */
  all(paths: Iterable<string> | AsyncIterable<string>): Promise<number> {
    this.#restDone?.resolve(this.#rendered)
    this.#rest =
      Symbol.asyncIterator in paths ? paths[Symbol.asyncIterator]() : paths[Symbol.iterator]()
    this.#rendered = 0
    this.#restDone = Promise.withResolvers()
    const { promise } = this.#restDone
    this.#start()
    return promise
  }

  /** Resolves when nothing is rendered any more: after the page that is under way. */
  async stop(): Promise<void> {
    this.#stop.abort()
    for (const { resolve } of this.#urgent.values()) resolve()
    this.#urgent.clear()
    this.#rest = undefined
    await this.#running
    this.#restDone?.resolve(this.#rendered)
  }

  #start() {
    if (this.#stop.signal.aborted) void this.stop()
    else this.#running ??= this.#work().finally(() => this.#end())
  }

  #end() {
    this.#running = undefined
    // Something may have come in since the last look.
    if (this.#urgent.size > 0 || this.#rest) this.#start()
  }

  async #work(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#yieldToVisitors()
      const startedAt = performance.now()
      if (!(await this.#one())) return
      this.#worked += performance.now() - startedAt
    }
  }

  /** One page; false where there is nothing left to do. */
  async #one(): Promise<boolean> {
    const [urgent] = this.#urgent
    if (urgent) {
      const [path, { resolve }] = urgent
      this.#urgent.delete(path)
      await this.#render(path)
      resolve()
      return true
    }
    const rest = this.#rest
    if (!rest || this.#stop.signal.aborted) return false
    try {
      const { done, value } = await rest.next()
      if (!done) {
        if (await this.#render(value)) this.#rendered++
        return true
      }
    } catch (error) {
      this.#options.onError('', error)
    }
    if (this.#rest === rest) {
      this.#rest = undefined
      this.#restDone?.resolve(this.#rendered)
    }
    return true
  }

  async #render(path: string): Promise<boolean> {
    try {
      return await this.#options.render(path)
    } catch (error) {
      this.#options.onError(path, error)
      return false
    }
  }

  async #yieldToVisitors(): Promise<void> {
    const { isBusy, isVisited } = this.#options
    if (this.#worked < STINT && !isBusy()) return
    await nextTurn()
    let rest = isVisited() ? this.#worked * REST : 0
    this.#worked = 0
    while ((rest > 0 || isBusy()) && !this.#stop.signal.aborted) {
      const from = performance.now()
      await sleep(rest || AGAIN, undefined, { ref: false, signal: this.#stop.signal }).catch(
        () => {},
      )
      rest = performance.now() - from - (rest || AGAIN) > LATE ? AGAIN : 0
    }
  }
}
