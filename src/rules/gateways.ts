/** The gateways that the shop knows. */
export const GATEWAYS = ['sandbox', 'konnect'] as const

/** Who receives a payment; `manual`: transfers, which are booked by hand. */
export const PAYMENT_PROVIDERS = [...GATEWAYS, 'manual'] as const
