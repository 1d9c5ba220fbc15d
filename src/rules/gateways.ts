/** The gateways that the shop knows. */
export const GATEWAYS = ['sandbox', 'konnect'] as const

/** By whom a payment is taken: transfers are booked by hand. */
export const PAYMENT_PROVIDERS = [...GATEWAYS, 'manual'] as const
