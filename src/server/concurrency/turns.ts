/** The bounds of a queue of work. */
interface Bounds {
  /** How many pieces of work may wait; further ones are refused with `refusal`. */
  readonly waiting: number
  readonly refusal: () => Error
  /** Starts the next piece of work; by default immediately. */
  readonly pass?: (next: () => void) => void
}

/** Runs pieces of work in the order in which they arrive, `atOnce` of them at a time. */
export function createTurns(atOnce: number, { waiting, refusal, pass = (next) => next() }: Bounds) {
  const queue: (() => void)[] = []
  let running = 0

  function refuseCrowd(): void {
    if (running >= atOnce && queue.length >= waiting) throw refusal()
  }

  return {
    /** Throws the refusal if the queue is full. */
    refuseCrowd,
    /** Whether nothing is running or waiting. */
    isIdle: () => running === 0,
    async take<Result>(work: () => Promise<Result>): Promise<Result> {
      refuseCrowd()
      if (running < atOnce) running++
      // Finished work passes its place on to the next in the queue, so that new work cannot
      // overtake it.
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
