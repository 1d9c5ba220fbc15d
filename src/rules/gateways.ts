/** The gateways that the shop knows. */
export const GATEWAYS = ['sandbox', 'konnect'] as const
export type GatewayName = (typeof GATEWAYS)[number]

/** Who receives a payment; `manual`: transfers, which are booked by hand. */
export const PAYMENT_PROVIDERS = [...GATEWAYS, 'manual'] as const
export type PaymentProvider = (typeof PAYMENT_PROVIDERS)[number]

/** The states of a payment that a gateway reports. */
export const GATEWAY_STATES = ['paid', 'pending', 'refused', 'expired'] as const
export type GatewayState = (typeof GATEWAY_STATES)[number]

/** The states of a payment at the sandbox, which lets none expire. */
export const SANDBOX_STATES = [
  'pending',
  'paid',
  'refused',
] as const satisfies readonly GatewayState[]
export type SandboxState = (typeof SANDBOX_STATES)[number]
