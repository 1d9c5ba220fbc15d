import { MILLIMES_PER_DINAR, type Millimes } from './money.ts'

/** The accounts that teachers' sales are booked to: in full, and since sales are shared, their part. */
export const TEACHER_ACCOUNTS = ['teacher_earnings', 'teacher_sales'] as const

/** What a sale is shared among; `codes` pays what the shop's codes take off. */
export const SALE_ACCOUNTS = [...TEACHER_ACCOUNTS, 'revenue', 'codes'] as const

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

export const ADJUSTMENT_MAX: Millimes = 10_000 * MILLIMES_PER_DINAR

/** Only `made` is written by now; what waits is an act (`two-people.ts`). */
export const ADJUSTMENT_STATES = ['proposed', 'made', 'refused', 'withdrawn'] as const
export type AdjustmentState = (typeof ADJUSTMENT_STATES)[number]

/** The longest reason of a refund, an adjustment or a closed difference, in characters. */
export const STAFF_REASON_MAX_LENGTH = 300
