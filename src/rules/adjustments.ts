import { MILLIMES_PER_DINAR, type Millimes } from './money.ts'

/** How much one administrator may adjust of a customer's wallet alone within a day. */
export const ADJUSTMENT_ALONE_MAX: Millimes = 200 * MILLIMES_PER_DINAR

/** The largest adjustment. */
export const ADJUSTMENT_MAX: Millimes = 10_000 * MILLIMES_PER_DINAR

/** Whether a second administrator has to confirm; `madeAlone` is the sum of the first one's adjustments within a day, both ways. */
export function needsSecond(amount: Millimes, madeAlone: Millimes): boolean {
  return Math.abs(amount) + madeAlone > ADJUSTMENT_ALONE_MAX
}
