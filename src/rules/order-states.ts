/** `replaced`: the buyer now owns its documents, or has ordered them again. */
export const ORDER_STATUSES = ['pending', 'paid', 'cancelled', 'expired', 'replaced'] as const

/** `cancelled`: the order that it was for was cancelled or replaced. */
export const PAYMENT_STATES = ['pending', 'paid', 'refused', 'expired', 'cancelled'] as const
