import { enums, type Infer, nullable, object, optional, string, type } from 'superstruct'
import { SEARCH_MAX_LENGTH } from '../rules/admin-search.ts'
import { STAFF_REASON_MAX_LENGTH } from '../rules/ledger.ts'
import { PAYMENT_PURPOSES, TRANSFER_METHODS } from '../rules/payment-methods.ts'
import {
  DIFFERENCE_KINDS,
  DIFFERENCE_OUTCOMES,
  PAYMENT_STATES,
  REPORTED_STATES,
} from '../rules/payment-states.ts'
import { defineCall } from './call.ts'
import {
  byId,
  dinarAmount,
  id,
  moment,
  pageOf,
  pageQuery,
  paymentReference,
  text,
} from './values.ts'

/** A person as administrators see them. */
export const Person = type({
  id: id(),
  name: string(),
  email: string(),
  phone: nullable(string()),
})
export type Person = Infer<typeof Person>

/** A bank transfer or a D17 payment, which an administrator confirms or refuses. */
export const Transfer = type({
  paymentRef: paymentReference(),
  purpose: enums(PAYMENT_PURPOSES),
  method: enums(TRANSFER_METHODS),
  state: enums(PAYMENT_STATES),
  amount: dinarAmount(),
  orderId: nullable(id()),
  payer: Person,
  createdAt: moment(),
  expiresAt: moment(),
  /** When it was confirmed or refused. */
  settledAt: nullable(moment()),
})
export type Transfer = Infer<typeof Transfer>

/**
 * The waiting transfers, oldest first, or those in another state, newest first. `q` is an amount,
 * or a part of a reference or of the payer's name, e-mail address or phone number.
 */
export const listTransfers = defineCall('GET /office/admin/transfers', 'admin', {
  query: object({
    ...pageQuery,
    q: optional(text(0, SEARCH_MAX_LENGTH)),
    state: optional(enums(PAYMENT_STATES)),
  }),
  result: pageOf(Transfer),
})

const params = object({ paymentRef: paymentReference() })
/** The state that the page showed; if it has changed, another administrator was faster. */
const body = object({ seen: enums(PAYMENT_STATES) })
const errors = [
  'payment_not_found',
  'payment_at_gateway',
  'payment_decided',
  'done_before',
  'idempotency_conflict',
] as const
const Decided = type({ paymentRef: paymentReference(), state: enums(PAYMENT_STATES) })

/**
 * Confirms that the money has arrived: pays the order or tops up the wallet, even after a refusal
 * or expiry.
 */
export const confirmTransfer = defineCall(
  'POST /office/admin/transfers/:paymentRef/confirm',
  'admin',
  {
    idempotent: true,
    params,
    body,
    result: Decided,
    errors,
  },
)

/**
 * Refuses a transfer whose money will not arrive; its order is cancelled unless another payment
 * waits.
 */
export const refuseTransfer = defineCall(
  'POST /office/admin/transfers/:paymentRef/refuse',
  'admin',
  {
    idempotent: true,
    params,
    body,
    result: Decided,
    errors,
  },
)

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
