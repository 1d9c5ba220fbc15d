import { MAX_TOP_UP, MIN_TOP_UP, TOP_UP_PRESETS } from './limits.ts'
import type { Millimes } from './money.ts'

/** The amount, or the minimum of 10 dinars where it is less (section 5). */
export function raiseToMinimum(amount: Millimes): Millimes {
  return amount >= MIN_TOP_UP ? amount : MIN_TOP_UP
}

/** The smallest preset that covers what is missing; null where no preset is enough. */
export function presetFor(missing: Millimes): Millimes | null {
  return TOP_UP_PRESETS.find((preset) => preset >= missing) ?? null
}

/** What is wrong with an amount to top up, in millimes; null where it can be charged. */
export function checkTopUp(amount: Millimes): 'below_minimum' | 'above_maximum' | null {
  if (amount > MAX_TOP_UP) return 'above_maximum'
  return amount >= MIN_TOP_UP ? null : 'below_minimum'
}
