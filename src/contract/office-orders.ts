import {
  array,
  boolean,
  enums,
  type Infer,
  nullable,
  object,
  optional,
  string,
  type,
} from 'superstruct'
import { SEARCH_MAX_LENGTH } from '../rules/admin-search.ts'
import { ACCOUNT_KINDS, MOVEMENT_KINDS, STAFF_REASON_MAX_LENGTH } from '../rules/ledger.ts'
import { ORDER_METHODS, PAYMENT_METHODS } from '../rules/payment-methods.ts'
import { ORDER_STATUSES, PAYMENT_PROVIDERS, PAYMENT_STATES } from '../rules/payment-states.ts'
import { defineCall } from './call.ts'
import { Person } from './office-transfers.ts'
import {
  byId,
  dinarAmount,
  id,
  moment,
  pageOf,
  pageQuery,
  paymentReference,
  signedDinars,
  text,
} from './values.ts'

/** An order as administrators find it. */
export const ShopOrder = type({
  id: id(),
  status: enums(ORDER_STATUSES),
  /** `wallet`, or how its payment was started. */
  method: enums(PAYMENT_METHODS),
  total: dinarAmount(),
  /** How much of it was refunded to the wallet. */
  refunded: dinarAmount(),
  createdAt: moment(),
  paidAt: nullable(moment()),
  receiptNumber: nullable(id()),
  buyer: Person,
})
export type ShopOrder = Infer<typeof ShopOrder>

/**
 * Orders, newest first. `q` is the number of an order or a receipt, an amount, or a part of a
 * payment's reference or of the buyer's name, e-mail address or phone number.
 */
export const listShopOrders = defineCall('GET /office/admin/orders', 'admin', {
  query: object({
    ...pageQuery,
    q: optional(text(0, SEARCH_MAX_LENGTH)),
    status: optional(enums(ORDER_STATUSES)),
  }),
  result: pageOf(ShopOrder),
})

const Item = type({
  documentId: id(),
  title: string(),
  teacher: string(),
  price: dinarAmount(),
  /** The teacher's part; null: not sold, or sold before sales were shared with teachers. */
  share: nullable(dinarAmount()),
  refundedAt: nullable(moment()),
  /** Whether the buyer owns it through this order. */
  isOwned: boolean(),
})

const OrderPayment = type({
  paymentRef: paymentReference(),
  provider: enums(PAYMENT_PROVIDERS),
  method: enums(ORDER_METHODS),
  state: enums(PAYMENT_STATES),
  amount: dinarAmount(),
  createdAt: moment(),
  settledAt: nullable(moment()),
})

/** A movement of the ledger; its entries sum to 0. */
const Movement = type({
  id: id(),
  kind: enums(MOVEMENT_KINDS),
  at: moment(),
  note: string(),
  entries: array(
    type({
      account: enums(ACCOUNT_KINDS),
      /** The teacher's or customer's name; '' for the shop's own accounts. */
      name: string(),
      amount: signedDinars(),
    }),
  ),
})

/** An order with its items, its payments and the movements of its money. */
export const ShopOrderDetail = type({
  ...ShopOrder.schema,
  items: array(Item),
  payments: array(OrderPayment),
  movements: array(Movement),
})
export type ShopOrderDetail = Infer<typeof ShopOrderDetail>

export const getShopOrder = defineCall('GET /office/admin/orders/:id', 'admin', {
  params: byId,
  result: ShopOrderDetail,
  errors: ['order_not_found'],
})

/** Refunds an order, or one document of it, to its buyer's wallet, and revokes the access. */
export const refundShopOrder = defineCall('POST /office/admin/orders/:id/refund', 'admin', {
  idempotent: true,
  params: byId,
  body: object({
    documentId: optional(id()),
    reason: text(1, STAFF_REASON_MAX_LENGTH),
    /** The sum that the page showed; if it has changed, another administrator was faster. */
    seen: dinarAmount(),
  }),
  result: type({ refunded: dinarAmount() }),
  errors: [
    'order_not_found',
    'order_not_paid',
    'document_not_found',
    'refund_changed',
    'done_before',
    'idempotency_conflict',
  ],
})
