import { MILLIMES_PER_DINAR, type Millimes } from './money.ts'

/** The accounts that teachers' sales are booked to: in full, and since sales are shared, their part. */
export const TEACHER_ACCOUNTS = ['teacher_earnings', 'teacher_sales'] as const

export const SALE_ACCOUNTS = [...TEACHER_ACCOUNTS, 'revenue'] as const

export const ACCOUNT_KINDS = [
  'customer',
  ...SALE_ACCOUNTS,
  'payouts',
  /** What payouts withheld, owed to the tax office. */
  'withheld',
  /** What was paid to it. */
  'taxes',
  'gateway',
  'adjustments',
  'returns',
] as const
export type AccountKind = (typeof ACCOUNT_KINDS)[number]

export const MOVEMENT_KINDS = [
  'purchase',
  'top_up',
  'refund',
  'adjustment',
  'payout',
  'tax_payment',
  'merge',
  'return',
] as const
export type MovementKind = (typeof MOVEMENT_KINDS)[number]

/**
 * The sum by which one administrator alone may adjust wallets within a day (24 hours): of all wallets
 * together, in absolute amounts.
 */
export const ADJUSTMENT_ALONE_MAX: Millimes = 200 * MILLIMES_PER_DINAR

export const ADJUSTMENT_MAX: Millimes = 10_000 * MILLIMES_PER_DINAR

/**
 * `made`: the money has moved; above the limit, only after a second administrator has confirmed it.
 */
export const ADJUSTMENT_STATES = ['proposed', 'made', 'refused', 'withdrawn'] as const
export type AdjustmentState = (typeof ADJUSTMENT_STATES)[number]

/**
 * How much one administrator may still adjust alone; `madeAlone` is the sum of their absolute
 * adjustments within a day that nobody else confirmed.
 */
export function leftAlone(madeAlone: Millimes): Millimes {
  return Math.max(0, ADJUSTMENT_ALONE_MAX - madeAlone)
}

/** Whether a second administrator has to confirm, given how much the first may still adjust alone. */
export function needsSecond(amount: Millimes, left: Millimes): boolean {
  return Math.abs(amount) > left
}

/** The longest reason of a refund, an adjustment or a closed difference, in characters. */
export const STAFF_REASON_MAX_LENGTH = 300
