import { enums, type Infer, nullable, object, optional, string, type } from 'superstruct'
import { SEARCH_MAX_LENGTH } from '../rules/admin-search.ts'
import { PAYMENT_STATES } from '../rules/order-states.ts'
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
  purpose: enums(['order', 'top_up']),
  method: enums(['bank_transfer', 'd17']),
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
 * The transfers that wait, oldest first, or those in another state, newest first. `q` is a part of a
 * reference, an amount, or of the payer's name, e-mail or phone.
 */
export const listTransfers = defineCall({
  method: 'GET',
  path: '/office/admin/transfers',
  caller: 'admin',
  query: object({
    ...pageQuery,
    q: optional(text(0, SEARCH_MAX_LENGTH)),
    state: optional(enums(PAYMENT_STATES)),
  }),
  result: pageOf(Transfer),
})

const params = object({ paymentRef: paymentReference() })
/** The state that the page showed: where it has changed, somebody else was first. */
const body = object({ seen: enums(PAYMENT_STATES) })
const errors = [
  'payment_not_found',
  'payment_at_gateway',
  'payment_decided',
  'done_before',
  'idempotency_conflict',
] as const
const Decided = type({ paymentRef: paymentReference(), state: enums(PAYMENT_STATES) })

/** Confirms that the money has come: pays the order, or tops the wallet up, even after a refusal or expiry. */
export const confirmTransfer = defineCall({
  method: 'POST',
  path: '/office/admin/transfers/:paymentRef/confirm',
  caller: 'admin',
  idempotent: true,
  params,
  body,
  result: Decided,
  errors,
})

/** Refuses a transfer whose money will not come; its order is cancelled unless another payment waits. */
export const refuseTransfer = defineCall({
  method: 'POST',
  path: '/office/admin/transfers/:paymentRef/refuse',
  caller: 'admin',
  idempotent: true,
  params,
  body,
  result: Decided,
  errors,
})
