export const GATEWAYS = ['sandbox', 'konnect'] as const
export type GatewayName = (typeof GATEWAYS)[number]

/** The receivers of payments; `manual`: transfers, which are booked by hand. */
export const PAYMENT_PROVIDERS = [...GATEWAYS, 'manual'] as const
export type PaymentProvider = (typeof PAYMENT_PROVIDERS)[number]

/**
 * The states of a payment that a gateway reports; `unclear`: its report is not understood, or the
 * money went elsewhere, so that nothing is known.
 */
const GATEWAY_STATES = ['paid', 'pending', 'refused', 'expired', 'unclear'] as const
export type GatewayState = (typeof GATEWAY_STATES)[number]

/** The states of a payment at the sandbox, which lets none expire. */
export const SANDBOX_STATES = [
  'pending',
  'paid',
  'refused',
] as const satisfies readonly GatewayState[]
export type SandboxState = (typeof SANDBOX_STATES)[number]

/**
 * `amount`: a different sum was paid; `reference`: the gateway reports the payment for another
 * order; `state`, `unknown`: it is paid in the shop but not at the gateway; `report`: what the
 * gateway reports is not understood.
 */
export const DIFFERENCE_KINDS = ['amount', 'reference', 'state', 'unknown', 'report'] as const
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number]

/** A gateway's report on a payment; `unknown`: it does not know the payment. */
export const REPORTED_STATES = [...GATEWAY_STATES, 'unknown'] as const
export type ReportedState = (typeof REPORTED_STATES)[number]

/**
 * How a difference ends: the gateway reports the expected payment after all, the sum that arrived
 * is booked, or it is closed without one.
 */
export const DIFFERENCE_OUTCOMES = ['settled', 'booked', 'closed'] as const
export type DifferenceOutcome = (typeof DIFFERENCE_OUTCOMES)[number]

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
