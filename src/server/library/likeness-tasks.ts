import { SECOND_MS } from '../../rules/durations.ts'
import { type Alike, pairsWith, rankAlike, unpackPages } from '../../rules/likeness.ts'

// The comparison of a file with others, in a child process: of books it takes seconds.

/** Of processor time: what is not compared by then is said not to be. */
const COMPARE_MS = 8 * SECOND_MS

interface Comparison {
  /** Packed. */
  readonly pages: Uint8Array
  /** The pages of other documents, by their ids; the first are compared first. */
  readonly others: readonly { readonly of: number; readonly pages: Uint8Array }[]
}

export interface Compared {
  readonly alike: readonly Alike<number>[]
  /** How many of the others were compared. */
  readonly count: number
}

export async function compareFiles({ pages: packed, others }: Comparison): Promise<Compared> {
  const before = process.cpuUsage()
  const isOver = () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000 > COMPARE_MS
  }
  const pages = unpackPages(packed)
  const pairs = []
  let count = 0
  for (const other of others) {
    if (isOver()) break
    for (const pair of pairsWith(pages, unpackPages(other.pages))) {
      pairs.push({ of: other.of, ...pair })
    }
    count++
  }
  return { alike: rankAlike(pages, pairs), count }
}
