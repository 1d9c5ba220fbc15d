/** `replaced`: the buyer now owns its documents, or has ordered them again. */
export const ORDER_STATUSES = ['pending', 'paid', 'cancelled', 'expired', 'replaced'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/**
 * Why money for an order goes into the wallet: the order was paid, cancelled or replaced before the
 * money arrived, or the buyer owned its documents by then.
 */
export type WalletReason = Extract<OrderStatus, 'paid' | 'cancelled' | 'replaced'> | 'owned'

/** `cancelled`: the order that it was for was cancelled or replaced. */
export const PAYMENT_STATES = ['pending', 'paid', 'refused', 'expired', 'cancelled'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]
