import { enums, type Infer, nullable, object, optional, string, type } from 'superstruct'
import { SEARCH_MAX_LENGTH } from '../rules/admin-search.ts'
import { PAYMENT_PURPOSES, TRANSFER_METHODS } from '../rules/payment-methods.ts'
import { PAYMENT_STATES } from '../rules/payment-states.ts'
import { defineCall } from './call.ts'
import { pageOf, pageQuery } from './pages.ts'
import { dinarAmount, id, moment, paymentReference, text } from './values.ts'

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
