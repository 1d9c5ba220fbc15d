import { readFileSync } from 'node:fs'
import { MINUTE_MS } from '../../../rules/durations.ts'
import { writeWhole } from '../../files/files.ts'

// Beyond this all counts are halved, and those that fall to zero are dropped.
const MOST_COUNTED = 20_000
const MOST_KEPT = 5_000

export type RequestCounts = ReturnType<typeof openRequestCounts>

/**
 * Counts how often each page was requested, since the most requested are rendered first. The counts
 * are kept in a small file across builds and restarts; a killed process loses the last minute.
 */
export function openRequestCounts(file: string) {
  const counts = read(file)
  let hasChanged = false

  const sorted = () => [...counts].sort(([, a], [, b]) => b - a)

  async function keep(): Promise<void> {
    if (!hasChanged) return
    hasChanged = false
    const kept = sorted().slice(0, MOST_KEPT)
    await writeWhole(file, JSON.stringify(kept), { flush: false }).catch(() => {})
  }
  const beat = setInterval(keep, MINUTE_MS).unref()

  function halve(): void {
    for (const [path, count] of counts) {
      if (count > 1) counts.set(path, count >> 1)
      else counts.delete(path)
    }
  }

  return {
    add(path: string): void {
      counts.set(path, (counts.get(path) ?? 0) + 1)
      hasChanged = true
      while (counts.size > MOST_COUNTED) halve()
    },
    of: (path: string) => counts.get(path) ?? 0,
    /** The requested pages, the most requested first. */
    paths: () => sorted().map(([path]) => path),
    /** Stores the counts for the next start. */
    async close(): Promise<void> {
      clearInterval(beat)
      await keep()
    },
  }
}

/** The stored counts, halved so that old ones fade; none where the file is damaged. */
function read(file: string): Map<string, number> {
  const counts = new Map<string, number>()
  try {
    for (const [path, count] of JSON.parse(readFileSync(file, 'utf8'))) {
      if (typeof path === 'string' && Number.isSafeInteger(count) && counts.size < MOST_KEPT) {
        counts.set(path, Math.ceil(count / 2))
      }
    }
  } catch {
    // Without counts, pages are rendered in the order of the catalogue.
  }
  return counts
}
