/** What waits for its turn behind others. */
interface Bounds {
  /** How much may wait; what comes then is refused by this error. */
  readonly waiting: number
  readonly refusal: () => Error
  /** Begins what is next; at once unless said otherwise. */
  readonly pass?: (next: () => void) => void
}

/** Does pieces of work in the order in which they come, `atOnce` of them at a time. */
export function createTurns(atOnce: number, { waiting, refusal, pass = (next) => next() }: Bounds) {
  const queue: (() => void)[] = []
  let running = 0

  function refuseCrowd(): void {
    if (running >= atOnce && queue.length >= waiting) throw refusal()
  }

  return {
    /** Throws the refusal where as many wait as may. */
    refuseCrowd,
    /** Whether nothing is done and nothing waits. */
    isIdle: () => running === 0,
    async take<Result>(work: () => Promise<Result>): Promise<Result> {
      refuseCrowd()
      if (running < atOnce) running++
      // Whoever ends gives its place on, so that nobody gets in between.
      else await new Promise<void>((go) => queue.push(go))
      try {
        return await work()
      } finally {
        const next = queue.shift()
        if (next) pass(next)
        else running--
      }
    },
  }
}
