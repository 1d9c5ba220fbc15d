import { type Millimes, roundDownTo } from './money.ts'

/** The teacher's share of a sale, in whole percent, unless the operator sets another. */
export const DEFAULT_SHARE_PERCENT = 70

/** The bounds of a teacher's share, in whole percent. */
export const SHARE_PERCENT_MIN = 0
export const SHARE_PERCENT_MAX = 100

/** The teacher's part of a price, rounded down to 10 millimes; the rest is the shop's. */
export function teacherShare(price: Millimes, percent: number): Millimes {
  return roundDownTo(10, (price * percent) / 100)
}
