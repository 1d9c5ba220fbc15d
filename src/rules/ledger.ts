/** The accounts that teachers' sales are booked to: in full, and since sales are shared, their part. */
export const TEACHER_ACCOUNTS = ['teacher_earnings', 'teacher_sales'] as const

/** The accounts that a sale is booked to. */
export const SALE_ACCOUNTS = [...TEACHER_ACCOUNTS, 'revenue'] as const

/** The accounts of the ledger. */
export const ACCOUNT_KINDS = [
  'customer',
  ...SALE_ACCOUNTS,
  'payouts',
  'gateway',
  'adjustments',
] as const
export type AccountKind = (typeof ACCOUNT_KINDS)[number]

/** The kinds of movements between them. */
export const MOVEMENT_KINDS = [
  'purchase',
  'top_up',
  'refund',
  'adjustment',
  'payout',
  'merge',
] as const
export type MovementKind = (typeof MOVEMENT_KINDS)[number]
