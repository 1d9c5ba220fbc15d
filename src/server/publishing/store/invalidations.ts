import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { writeWholeSync } from '../../files/files.ts'

/** Stands for every tag. */
const ALL = '*'

/**
 * Which tags changed when, in ticks of the store's own clock. Marking a tag is one line of a log
 * however many pages carry it, is done before the call returns, and outlives the process.
 */
export class Invalidations {
  readonly #file: string
  readonly #changedAt = new Map<string, number>()
  #clock = 0

  /** Reads the log; where there is none that can be trusted, everything before now is stale. */
  constructor(file: string) {
    this.#file = file
    const soon = this.#read()
    if (soon === undefined) {
      this.#changedAt.clear()
      // Later than any tick of a log that is gone: those count changes, this counts milliseconds.
      this.#mark(ALL, Math.max(Date.now(), this.#clock + 1))
      this.#rewrite()
    } else if (soon.length > 0) {
      // What was to be gathered when the process ended is due.
      this.add(soon)
    }
  }

  /** Rises with every change. */
  get clock(): number {
    return this.#clock
  }

  /** Marks everything that carries one of these tags as stale. */
  add(tags: readonly string[]): void {
    const at = this.#clock + 1
    for (const tag of tags) this.#mark(tag, at)
    this.#append(tags.map((tag) => `${at} ${encodeURIComponent(tag)}\n`))
  }

  /** Marks everything. */
  addAll(): void {
    this.add([ALL])
  }

  /** Notes that these will be marked within a minute, so that a crash in between does not lose it. */
  addSoon(tags: readonly string[]): void {
    this.#append(tags.map((tag) => `soon ${encodeURIComponent(tag)}\n`))
  }

  isStale({ tags, clock }: { tags: readonly string[]; clock: number }): boolean {
    const changedAt = (tag: string) => this.#changedAt.get(tag) ?? 0
    return changedAt(ALL) > clock || tags.some((tag) => changedAt(tag) > clock)
  }

  /** The tags that were noted and not marked; undefined where the log is missing or damaged. */
  #read(): string[] | undefined {
    if (!existsSync(this.#file)) return
    const lines = readFileSync(this.#file, 'utf8').split('\n')
    // The last piece is empty, or a line that a crash cut off.
    if (lines.pop() !== '') return
    // A log begins with the time before which all is stale; one that does not has lost its head.
    if (!/^\d+ \*$/.test(lines[0] ?? '')) return
    const soon = new Set<string>()
    for (const line of lines) {
      const [, at, encoded] = /^(\d+|soon) (\S+)$/.exec(line) ?? []
      if (at === undefined || encoded === undefined) return
      const tag = decodeURIComponent(encoded)
      if (at === 'soon') soon.add(tag)
      else {
        soon.delete(tag)
        this.#mark(tag, Number(at))
      }
    }
    if (lines.length > 2 * this.#changedAt.size + 100) this.#rewrite(soon)
    return [...soon]
  }

  #mark(tag: string, at: number) {
    this.#changedAt.set(tag, at)
    this.#clock = Math.max(this.#clock, at)
  }

  #append(lines: string[]) {
    try {
      appendFileSync(this.#file, lines.join(''))
    } catch (error) {
      // A change that is not in the log must not be forgotten: without a log, all is stale.
      rmSync(this.#file, { force: true })
      console.error('The log of changed pages cannot be written; it will be begun again.', error)
    }
  }

  #rewrite(soon: Iterable<string> = []) {
    const lines = [...this.#changedAt].map(([tag, at]) => `${at} ${encodeURIComponent(tag)}\n`)
    for (const tag of soon) lines.push(`soon ${encodeURIComponent(tag)}\n`)
    writeWholeSync(this.#file, lines.join(''))
  }
}
