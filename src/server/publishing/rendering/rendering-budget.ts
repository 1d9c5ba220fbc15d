import { type Allowance, type Attempts, createAttempts } from '../../http/attempt-counter.ts'

/** How much rendering visitors may cause. */
export interface RenderingBounds {
  /** Renderings at the same time, and how many more may wait for their turn. */
  readonly atOnce: number
  readonly waiting: number
  /** Of them by one address. */
  readonly ofAddress: number
  /** What one address may begin in a window of time. */
  readonly allowance: Allowance
}

/**
 * A rendering takes the process some 20 ms, so that one address causes a few percent of its work:
 * others do not feel it. Hundreds of people may share one address; nearly all that they ask for is
 * stored and costs no rendering.
 */
export const VISITORS: RenderingBounds = {
  atOnce: 2,
  waiting: 60,
  ofAddress: 8,
  allowance: { max: 15, windowMs: 10_000 },
}

/** The steps of paying have a reserve of their own, which nothing else can use up. */
export const PAYMENT_STEPS: RenderingBounds = {
  atOnce: 2,
  waiting: 500,
  ofAddress: 20,
  allowance: { max: 120, windowMs: 60_000 },
}

/** A rendering that is refused for now. */
export class TooManyRenderings extends Error {
  override name = 'TooManyRenderings'
}

/** When a visitor who was refused may come again, in seconds: then a new window has begun. */
export const RETRY_AFTER = VISITORS.allowance.windowMs / 1000

/** Bounds what visitors make the process render: an address, and in all. */
export class RenderingBudget {
  readonly #bounds: RenderingBounds
  readonly #attempts: Attempts
  readonly #ofAddress = new Map<string, number>()
  readonly #queue: (() => void)[] = []
  #running = 0

  constructor(bounds: RenderingBounds, now: () => number = Date.now) {
    this.#bounds = bounds
    this.#attempts = createAttempts(now)
  }

  /** Nothing is rendered for a visitor, and nobody waits. */
  get isIdle(): boolean {
    return this.#running === 0
  }

  /**
   * Does `work` when it is its turn. `address` is null for this machine, of which only the bounds
   * in all are asked. Throws `TooManyRenderings`.
   */
  async run<Result>(address: string | null, work: () => Promise<Result>): Promise<Result> {
    this.#admit(address)
    try {
      await this.#turn()
      try {
        return await work()
      } finally {
        this.#pass()
      }
    } finally {
      this.#leave(address)
    }
  }

  #admit(address: string | null) {
    const { atOnce, waiting, ofAddress, allowance } = this.#bounds
    if (this.#running >= atOnce && this.#queue.length >= waiting) throw new TooManyRenderings()
    if (address === null) return
    const own = this.#ofAddress.get(address) ?? 0
    if (own >= ofAddress || this.#attempts.take(address, allowance) > 0) {
      throw new TooManyRenderings()
    }
    this.#ofAddress.set(address, own + 1)
  }

  #leave(address: string | null) {
    if (address === null) return
    const left = (this.#ofAddress.get(address) ?? 1) - 1
    if (left > 0) this.#ofAddress.set(address, left)
    else this.#ofAddress.delete(address)
  }

  async #turn(): Promise<void> {
    if (this.#running < this.#bounds.atOnce) this.#running++
    // Whoever ends gives its place on, so that nobody gets in between.
    else await new Promise<void>((go) => this.#queue.push(go))
  }

  #pass() {
    const next = this.#queue.shift()
    // What has arrived meanwhile is answered between two renderings.
    if (next) setImmediate(next)
    else this.#running--
  }
}
