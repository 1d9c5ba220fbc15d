import { MILLIMES_PER_DINAR, type Millimes } from './money.ts'

/** The amount by which one administrator alone may adjust a customer's wallet within a day. */
export const ADJUSTMENT_ALONE_MAX: Millimes = 200 * MILLIMES_PER_DINAR

/** The largest adjustment. */
export const ADJUSTMENT_MAX: Millimes = 10_000 * MILLIMES_PER_DINAR

/**
 * `made`: the money has moved; above the limit, only after a second administrator has confirmed it.
 */
export const ADJUSTMENT_STATES = ['proposed', 'made', 'refused', 'withdrawn'] as const
export type AdjustmentState = (typeof ADJUSTMENT_STATES)[number]

/**
 * Whether a second administrator has to confirm; `madeAlone` is the sum of the first one's
 * adjustments within a day, in either direction.
 */
export function needsSecond(amount: Millimes, madeAlone: Millimes): boolean {
  return Math.abs(amount) + madeAlone > ADJUSTMENT_ALONE_MAX
}
