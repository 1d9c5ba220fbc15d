/** `replaced`: the buyer has, or has ordered anew, what it held. */
export const ORDER_STATUSES = ['pending', 'paid', 'cancelled', 'expired', 'replaced'] as const

/** `cancelled`: the order that it was for is wanted no more. */
export const PAYMENT_STATES = ['pending', 'paid', 'refused', 'expired', 'cancelled'] as const
