import { appendFileSync, rmSync } from 'node:fs'
import { readTextIfThere, writeWholeSync } from '../../files/files.ts'

/** Represents every tag. */
const ALL = '*'

/**
 * Records in the log `file` when each tag changed, in ticks of the store's own clock. Marking a tag
 * writes one line, however many pages carry it, before the call returns. If the log is missing or
 * damaged, everything up to now is stale.
 */
export function openInvalidations(file: string) {
  const changedAt = new Map<string, number>()
  let clock = 0

  function mark(tag: string, at: number): void {
    changedAt.set(tag, at)
    clock = Math.max(clock, at)
  }

  function append(lines: string[]): void {
    try {
      appendFileSync(file, lines.join(''))
    } catch (error) {
      // A change that cannot be logged must not be lost: without a log, everything is stale.
      rmSync(file, { force: true })
      console.error('The log of changed pages cannot be written; it will be begun again.', error)
    }
  }

  function add(tags: readonly string[]): void {
    const at = clock + 1
    for (const tag of tags) mark(tag, at)
    append(tags.map((tag) => `${at} ${encodeURIComponent(tag)}\n`))
  }

  function rewrite(soon: Iterable<string> = []): void {
    const lines = [...changedAt].map(([tag, at]) => `${at} ${encodeURIComponent(tag)}\n`)
    for (const tag of soon) lines.push(`soon ${encodeURIComponent(tag)}\n`)
    writeWholeSync(file, lines.join(''))
  }

  /** The tags noted but not marked; undefined if the log is missing or damaged. */
  function read(): string[] | undefined {
    const text = readTextIfThere(file) ?? ''
    // Includes the ticks of a damaged log, so that new ones are later than any in it.
    for (const [, at] of text.matchAll(/^(\d{1,16}) /gm)) clock = Math.max(clock, Number(at))
    const lines = text.split('\n')
    // The last piece is empty, or a line truncated by a crash.
    if (lines.pop() !== '') return
    // A log begins with the time before which everything is stale; otherwise its beginning is lost.
    if (!/^\d+ \*$/.test(lines[0] ?? '')) return
    const soon = new Set<string>()
    for (const line of lines) {
      const [, at, encoded] = /^(\d+|soon) (\S+)$/.exec(line) ?? []
      if (at === undefined || encoded === undefined) return
      const tag = decodeURIComponent(encoded)
      if (at === 'soon') soon.add(tag)
      else {
        soon.delete(tag)
        mark(tag, Number(at))
      }
    }
    if (lines.length > 2 * changedAt.size + 100) rewrite(soon)
    return [...soon]
  }

  const left = read()
  if (left === undefined) {
    changedAt.clear()
    // Later than any tick of a lost log: ticks count changes, and each takes longer than a
    // microsecond.
    const microseconds = Math.floor((performance.timeOrigin + performance.now()) * 1000)
    mark(ALL, Math.max(microseconds, clock + 1))
    rewrite()
  } else if (left.length > 0) {
    // Tags that were being collected when the process ended are due.
    add(left)
  }

  return {
    /** Increases with every change. */
    clock: () => clock,
    /** Marks all pages with one of these tags as stale. */
    add,
    /** Marks all pages as stale. */
    addAll: () => add([ALL]),
    /**
     * Notes that these tags will be marked within a minute, so that a crash in between does not
     * lose them.
     */
    addSoon: (tags: readonly string[]) =>
      append(tags.map((tag) => `soon ${encodeURIComponent(tag)}\n`)),
    isStale(made: { tags: readonly string[]; clock: number }): boolean {
      const isLater = (tag: string) => (changedAt.get(tag) ?? 0) > made.clock
      return isLater(ALL) || made.tags.some(isLater)
    },
  }
}
