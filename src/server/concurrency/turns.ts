/** The bounds of a queue of work. */
interface Bounds {
  /** How many pieces of work may wait; beyond that one is refused with `refusal`. */
  readonly waiting: number
  /** How many pieces of one owner may run and wait, so that others get their turn; by default all. */
  readonly ofOwner?: { readonly atOnce: number; readonly waiting: number }
  readonly refusal: () => Error
  /** Starts the next piece of work; by default immediately. */
  readonly pass?: (next: () => void) => void
}

/** Whose work it is, such as an address; null is nobody's, which only the total bounds limit. */
type Owner = string | null

interface Waiting {
  readonly go: () => void
  readonly refuse: (error: Error) => void
}

/**
 * Runs pieces of work, `atOnce` of them at a time. Owners have their turns one after the other, and
 * the work of each runs in the order in which it arrives: an owner that sends much waits for it alone.
 */
export function createTurns(
  atOnce: number,
  { waiting, ofOwner = { atOnce, waiting }, refusal, pass = (next) => next() }: Bounds,
) {
  /** What waits, by owner, in the order of their turns. */
  const queues = new Map<Owner, Waiting[]>()
  const runningOf = new Map<Owner, number>()
  let running = 0
  let queued = 0

  const mayBegin = (owner: Owner) => owner === null || (runningOf.get(owner) ?? 0) < ofOwner.atOnce

  function begin(owner: Owner): void {
    running++
    runningOf.set(owner, (runningOf.get(owner) ?? 0) + 1)
  }

  /** Gives the place of finished work to the next one, so that new work cannot overtake it. */
  function end(owner: Owner): void {
    running--
    const left = (runningOf.get(owner) ?? 1) - 1
    if (left > 0) runningOf.set(owner, left)
    else runningOf.delete(owner)
    for (const [next, queue] of queues) {
      if (!mayBegin(next)) continue
      const first = queue.shift()
      queues.delete(next)
      if (queue.length > 0) queues.set(next, queue)
      queued--
      begin(next)
      if (first) pass(first.go)
      return
    }
  }

  /** Throws the refusal if work of this owner would find no place. */
  function refuseCrowd(owner: Owner = null): void {
    if (running < atOnce && mayBegin(owner)) return
    const own = queues.get(owner)?.length ?? 0
    if (owner !== null && own >= ofOwner.waiting) throw refusal()
    // An owner with more waiting gives up a place to a newcomer.
    if (queued >= waiting && longestQueue().length <= own + 1) throw refusal()
  }

  function queue(owner: Owner): Promise<void> {
    refuseCrowd(owner)
    if (queued >= waiting) {
      longestQueue().pop()?.refuse(refusal())
      queued--
    }
    const { promise, resolve: go, reject: refuse } = Promise.withResolvers<void>()
    const own = queues.get(owner) ?? []
    queues.set(owner, own)
    own.push({ go, refuse })
    queued++
    return promise
  }

  function longestQueue(): Waiting[] {
    let longest: Waiting[] = []
    for (const each of queues.values()) if (each.length > longest.length) longest = each
    return longest
  }

  return {
    refuseCrowd,
    /** Whether nothing is running or waiting. */
    isIdle: () => running === 0,
    async take<Result>(work: () => Promise<Result>, owner: Owner = null): Promise<Result> {
      if (running < atOnce && mayBegin(owner)) begin(owner)
      else await queue(owner)
      try {
        return await work()
      } finally {
        end(owner)
      }
    },
  }
}

export type Turns = ReturnType<typeof createTurns>
