import { appendFileSync, rmSync } from 'node:fs'
import { readTextIfThere, writeWholeSync } from '../../files/files.ts'

/** Stands for every tag. */
const ALL = '*'

/**
 * Which tags changed when, in ticks of the store's own clock, as the log `file` has it. Marking a tag is
 * one line however many pages carry it, is done before the call returns, and outlives the process.
 * Where there is no log that can be trusted, everything before now is stale.
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
      // A change that is not in the log must not be forgotten: without a log, all is stale.
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

  /** The tags that were noted and not marked; undefined if the log is missing or damaged. */
  function read(): string[] | undefined {
    const text = readTextIfThere(file) ?? ''
    // Whatever is damaged in it, what comes next is later than all that it says.
    for (const [, at] of text.matchAll(/^(\d{1,15}) /gm)) clock = Math.max(clock, Number(at))
    const lines = text.split('\n')
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
        mark(tag, Number(at))
      }
    }
    if (lines.length > 2 * changedAt.size + 100) rewrite(soon)
    return [...soon]
  }

  const left = read()
  if (left === undefined) {
    changedAt.clear()
    // Later than any tick of a log that is gone: those count changes, this counts milliseconds.
    mark(ALL, Math.max(Date.now(), clock + 1))
    rewrite()
  } else if (left.length > 0) {
    // What was to be gathered when the process ended is due.
    add(left)
  }

  return {
    /** Rises with every change. */
    clock: () => clock,
    /** Marks everything that carries one of these tags as stale. */
    add,
    /** Marks everything. */
    addAll: () => add([ALL]),
    /** Notes that these will be marked within a minute, so that a crash in between does not lose it. */
    addSoon: (tags: readonly string[]) =>
      append(tags.map((tag) => `soon ${encodeURIComponent(tag)}\n`)),
    isStale(made: { tags: readonly string[]; clock: number }): boolean {
      const isLater = (tag: string) => (changedAt.get(tag) ?? 0) > made.clock
      return isLater(ALL) || made.tags.some(isLater)
    },
  }
}
