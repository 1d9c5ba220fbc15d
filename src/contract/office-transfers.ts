import * as s from 'superstruct'
import { STAFF_REASON_MAX_LENGTH } from '../rules/ledger.ts'
import { PAYMENT_PURPOSES, TRANSFER_METHODS } from '../rules/payment-methods.ts'
import {
  DIFFERENCE_KINDS,
  DIFFERENCE_OUTCOMES,
  PAYMENT_STATES,
  REPORTED_STATES,
} from '../rules/payment-states.ts'
import { defineCall } from './call.ts'
import { ReceiptPhoto } from './receipt-photos.ts'
import {
  byId,
  dinarAmount,
  id,
  moment,
  nothing,
  pageOf,
  pageQuery,
  paymentReference,
  searchedText,
  text,
} from './values.ts'

/** A person, and the ways to reach them. */
export const Contact = s.type({
  id: id(),
  name: s.string(),
  email: s.nullable(s.string()),
  phone: s.nullable(s.string()),
})
export type Contact = s.Infer<typeof Contact>

/** A bank transfer or a D17 payment, which an administrator confirms or refuses. */
export const Transfer = s.type({
  paymentRef: paymentReference(),
  /** The same as customers write it, which `confirm` takes as well: `KR-1A2B-3C4D`. */
  reference: s.string(),
  purpose: s.enums(PAYMENT_PURPOSES),
  method: s.enums(TRANSFER_METHODS),
  state: s.enums(PAYMENT_STATES),
  amount: dinarAmount(),
  orderId: s.nullable(id()),
  payer: Contact,
  createdAt: moment(),
  expiresAt: moment(),
  /** When it was confirmed or refused. */
  settledAt: s.nullable(moment()),
  /** How many photos of the receipt its payer has added. */
  photos: s.number(),
  /** Whether the caller's confirmation would wait for a second administrator. */
  needsSecond: s.boolean(),
  /** The act, its confirmation, that waits for a second administrator. */
  waits: s.nullable(id()),
})
export type Transfer = s.Infer<typeof Transfer>

/**
 * The waiting transfers, oldest first, or those in another state, newest first. `q` is an amount,
 * or a part of a reference or of the payer's name, e-mail address or phone number.
 */
export const listTransfers = defineCall('GET /office/admin/transfers', 'admin', {
  query: s.object({
    ...pageQuery,
    q: s.optional(searchedText()),
    state: s.optional(s.enums(PAYMENT_STATES)),
  }),
  result: pageOf(Transfer),
})

const params = s.object({ paymentRef: paymentReference() })

/** The photos of the receipt that the payer has added, in this order. */
export const listTransferPhotos = defineCall(
  'GET /office/admin/transfers/:paymentRef/photos',
  'admin',
  { params, result: s.array(ReceiptPhoto), errors: ['payment_not_found'] },
)

/** The picture of one of these photos, as WebP. */
export const getTransferPhoto = defineCall(
  'GET /office/admin/receipt-photos/:id/picture',
  'admin',
  {
    params: byId,
    answers: 'file',
    result: nothing(),
    errors: ['photo_not_found', 'file_missing'],
  },
)

/** The state that the page showed; if it has changed, another administrator was faster. */
const body = s.object({ seen: s.enums(PAYMENT_STATES) })
const errors = [
  'payment_not_found',
  'payment_at_gateway',
  'payment_decided',
  'done_before',
] as const
const Decided = s.type({
  paymentRef: paymentReference(),
  state: s.enums(PAYMENT_STATES),
  /** The act that waits for a second administrator; null: it is decided. */
  waits: s.nullable(id()),
})

/**
 * Confirms that the money has arrived: pays the order or tops up the wallet, even after a refusal
 * or expiry; above the bound, once a second administrator has confirmed.
 */
export const confirmTransfer = defineCall(
  'POST /office/admin/transfers/:paymentRef/confirm',
  'admin',
  {
    idempotent: true,
    params,
    /** `reason`: what shows that the money has come, such as the line of the bank's list. */
    body: s.object({ ...body.schema, reason: text(1, STAFF_REASON_MAX_LENGTH) }),
    result: Decided,
    errors: [...errors, 'act_waits'],
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
export const Difference = s.type({
  id: id(),
  paymentRef: paymentReference(),
  orderId: s.nullable(id()),
  payer: Contact,
  kind: s.enums(DIFFERENCE_KINDS),
  /** The sum that the shop requested; `state` is the payment's current state. */
  expected: dinarAmount(),
  state: s.enums(PAYMENT_STATES),
  /** The sum that the gateway reported. */
  reported: dinarAmount(),
  reportedState: s.enums(REPORTED_STATES),
  gatewayReference: s.string(),
  notedAt: moment(),
  /** null: not settled yet. */
  outcome: s.nullable(s.enums(DIFFERENCE_OUTCOMES)),
  decider: s.nullable(s.string()),
  decidedAt: s.nullable(moment()),
  reason: s.nullable(s.string()),
})
export type Difference = s.Infer<typeof Difference>

/** The open differences, oldest first, or the settled ones, newest first. */
export const listDifferences = defineCall('GET /office/admin/differences', 'admin', {
  query: s.object({ ...pageQuery, state: s.optional(s.enums(['open', 'settled'])) }),
  result: pageOf(Difference),
})

/** Checks a payment at the gateway: books what it confirms, and records differences. */
export const askAboutPayment = defineCall('POST /office/admin/payments/:paymentRef/ask', 'admin', {
  params: s.object({ paymentRef: paymentReference() }),
  result: s.type({
    /** The payment's current state in the shop. */
    state: s.enums(PAYMENT_STATES),
    gateway: s.type({ state: s.enums(REPORTED_STATES), amount: dinarAmount() }),
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
  ],
})

/** Closes a difference that was settled outside the shop; no money moves. */
export const closeDifference = defineCall('POST /office/admin/differences/:id/close', 'admin', {
  params: byId,
  body: s.object({ reason: text(1, STAFF_REASON_MAX_LENGTH) }),
  result: Difference,
  errors: ['difference_not_found', 'difference_decided', 'done_before'],
})
