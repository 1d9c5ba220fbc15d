import { readFileSync } from 'node:fs'
import { MINUTE_MS } from '../../../rules/durations.ts'
import { writeWhole } from '../../files/files.ts'

// Beyond this all counts are halved, and those that come to nothing forgotten.
const MOST_COUNTED = 20_000
const MOST_KEPT = 5_000

/**
 * How often each page was requested: the most wanted ones are rendered first. The counts are kept in a
 * small file, over builds and restarts; a kill loses the last minute of them.
 */
export class RequestCounts {
  readonly #file: string
  readonly #counts: Map<string, number>
  readonly #beat: NodeJS.Timeout
  #hasChanged = false

  constructor(file: string) {
    this.#file = file
    this.#counts = read(file)
    this.#beat = setInterval(() => this.#keep().catch(() => {}), MINUTE_MS).unref()
  }

  add(path: string): void {
    this.#counts.set(path, (this.#counts.get(path) ?? 0) + 1)
    this.#hasChanged = true
    while (this.#counts.size > MOST_COUNTED) this.#halve()
  }

  of(path: string): number {
    return this.#counts.get(path) ?? 0
  }

  /** The pages that were asked for, those asked for most first. */
  get paths(): string[] {
    return this.#sorted().map(([path]) => path)
  }

  /** Keeps the counts for the next start. */
  async close(): Promise<void> {
    clearInterval(this.#beat)
    await this.#keep().catch(() => {})
  }

  #halve() {
    for (const [path, count] of this.#counts) {
      if (count > 1) this.#counts.set(path, count >> 1)
      else this.#counts.delete(path)
    }
  }

  #sorted() {
    return [...this.#counts].sort(([, a], [, b]) => b - a)
  }

  async #keep() {
    if (!this.#hasChanged) return
    this.#hasChanged = false
    const kept = this.#sorted().slice(0, MOST_KEPT)
    await writeWhole(this.#file, JSON.stringify(kept), { flush: false })
  }
}

/** What was kept, at half its weight so that it fades; nothing where the file cannot be trusted. */
function read(file: string): Map<string, number> {
  const counts = new Map<string, number>()
  try {
    for (const [path, count] of JSON.parse(readFileSync(file, 'utf8'))) {
      if (typeof path === 'string' && Number.isSafeInteger(count) && counts.size < MOST_KEPT) {
        counts.set(path, Math.ceil(count / 2))
      }
    }
  } catch {
    // Then the pages are rendered in the order of the catalogue.
  }
  return counts
}
