/** The marks of an order's states, for `StateMark`. */
export const ORDER_MARKS = {
  pending: 'waiting',
  paid: 'good',
  cancelled: 'off',
  expired: 'off',
  replaced: 'off',
} as const

/** The marks of a payment's states. */
export const PAYMENT_MARKS = {
  pending: 'waiting',
  paid: 'good',
  refused: 'bad',
  expired: 'off',
  cancelled: 'off',
} as const

/** The marks of a payout's states. */
export const PAYOUT_MARKS = {
  requested: 'waiting',
  paid: 'good',
  refused: 'bad',
  cancelled: 'off',
} as const
