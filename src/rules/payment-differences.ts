import { GATEWAY_STATES } from './gateways.ts'

/**
 * `amount`: a different sum was paid; `reference`: the gateway reports the payment for another
 * order; `state`, `unknown`: it is paid in the shop but not at the gateway.
 */
export const DIFFERENCE_KINDS = ['amount', 'reference', 'state', 'unknown'] as const
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
