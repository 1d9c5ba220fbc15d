import type { Millimes } from './money.ts'
import { MILLIMES_PER_DINAR } from './money.ts'

/** The smallest and the largest top-up. */
export const MIN_TOP_UP = 10 * MILLIMES_PER_DINAR

export const MAX_TOP_UP = 2000 * MILLIMES_PER_DINAR

/** The amounts offered for a top-up, smallest first. */
export const TOP_UP_PRESETS: readonly number[] = [
  10 * MILLIMES_PER_DINAR,
  20 * MILLIMES_PER_DINAR,
  50 * MILLIMES_PER_DINAR,
  100 * MILLIMES_PER_DINAR,
  200 * MILLIMES_PER_DINAR,
]

/** The smallest preset that covers the missing amount; null if none does. */
export function presetFor(missing: Millimes): Millimes | null {
  return TOP_UP_PRESETS.find((preset) => preset >= missing) ?? null
}

/** The limit that a top-up, in millimes, breaks; null if it can be charged. */
export function checkTopUp(amount: Millimes): 'below_minimum' | 'above_maximum' | null {
  if (amount > MAX_TOP_UP) return 'above_maximum'
  return amount >= MIN_TOP_UP ? null : 'below_minimum'
}
