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

// All in milliseconds. Work is done for so long at a time …
const STINT = 5
// … and while there are visitors rested from for so many times as long as it took.
const REST = 9
const AGAIN = 50
/** A timer that fires so much too late says that the process or the machine has enough to do. */
const LATE = 30

/**
 * Renders pages behind the visitors: one at a time, with rests while there are visitors, and not
 * at all while their own renderings are under way or the process is late. Stopped at once.
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

  /** Renders those of these that are missing or stale; resolves to how many these were. */
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
      await this.#mayGoOn()
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

  async #mayGoOn(): Promise<void> {
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
