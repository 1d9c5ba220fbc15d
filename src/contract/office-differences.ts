import { enums, type Infer, nullable, object, optional, string, type } from 'superstruct'
import { STAFF_REASON_MAX_LENGTH } from '../rules/ledger.ts'
import {
  DIFFERENCE_KINDS,
  DIFFERENCE_OUTCOMES,
  PAYMENT_STATES,
  REPORTED_STATES,
} from '../rules/payment-states.ts'
import { defineCall } from './call.ts'
import { Person } from './office-transfers.ts'
import { pageOf, pageQuery } from './pages.ts'
import { byId, dinarAmount, id, moment, paymentReference, text } from './values.ts'

/** A payment on which the gateway and the shop's records differ. */
export const Difference = type({
  id: id(),
  paymentRef: paymentReference(),
  orderId: nullable(id()),
  payer: Person,
  kind: enums(DIFFERENCE_KINDS),
  /** The sum that the shop requested; `state` is the payment's current state. */
  expected: dinarAmount(),
  state: enums(PAYMENT_STATES),
  /** The sum that the gateway reported. */
  reported: dinarAmount(),
  reportedState: enums(REPORTED_STATES),
  gatewayReference: string(),
  notedAt: moment(),
  /** null: not settled yet. */
  outcome: nullable(enums(DIFFERENCE_OUTCOMES)),
  decider: nullable(string()),
  decidedAt: nullable(moment()),
  reason: nullable(string()),
})
export type Difference = Infer<typeof Difference>

/** The open differences, oldest first, or the settled ones, newest first. */
export const listDifferences = defineCall('GET /office/admin/differences', 'admin', {
  query: object({ ...pageQuery, state: optional(enums(['open', 'settled'])) }),
  result: pageOf(Difference),
})

/** Checks a payment at the gateway: books what it confirms, and records differences. */
export const askAboutPayment = defineCall('POST /office/admin/payments/:paymentRef/ask', 'admin', {
  params: object({ paymentRef: paymentReference() }),
  result: type({
    /** The payment's current state in the shop. */
    state: enums(PAYMENT_STATES),
    gateway: type({ state: enums(REPORTED_STATES), amount: dinarAmount() }),
  }),
  errors: ['payment_not_found', 'payment_not_at_gateway', 'no_gateway', 'gateway_silent'],
})

/**
 * Books the sum that actually arrived, which the gateway has to confirm again, into the payer's
 * wallet; the order that it was for is cancelled, since it was not paid.
 */
export const bookDifference = defineCall('POST /office/admin/differences/:id/book', 'admin', {
  idempotent: true,
  params: byId,
  result: Difference,
  errors: [
    'difference_not_found',
    'difference_decided',
    'gateway_says_otherwise',
    'no_gateway',
    'gateway_silent',
    'done_before',
    'idempotency_conflict',
  ],
})

/** Closes a difference that was settled outside the shop; no money moves. */
export const closeDifference = defineCall('POST /office/admin/differences/:id/close', 'admin', {
  params: byId,
  body: object({ reason: text(1, STAFF_REASON_MAX_LENGTH) }),
  result: Difference,
  errors: ['difference_not_found', 'difference_decided', 'done_before'],
})
