import { setTimeout as sleep } from 'node:timers/promises'
import { type Allowance, type Attempts, createAttempts } from '../../http/attempt-counter.ts'

/** How many answers that are not in memory an address gets before further ones are delayed. */
export const UNTHROTTLED: Allowance = { max: 200, windowMs: 10_000 }

/** How long each further answer is held, in milliseconds, and how many are held at most. */
const HELD_FOR = 1000
const HELD_MAX = 1000

/**
 * Delays the answers of an address that requests more than people do: it gets one a second on each of
 * its connections, instead of all that the process can make.
 */
export class Throttle {
  readonly #allowance: Allowance
  readonly #attempts: Attempts
  #held = 0

  constructor(allowance: Allowance = UNTHROTTLED, now: () => number = Date.now) {
    this.#allowance = allowance
    this.#attempts = createAttempts(now)
  }

  /** Resolves when the answer may be sent; undefined for at once. */
  hold(address: string): Promise<void> | undefined {
    if (this.#attempts.take(address, this.#allowance) === 0 || this.#held >= HELD_MAX) return
    this.#held++
    return sleep(HELD_FOR).then(() => {
      this.#held--
    })
  }
}
