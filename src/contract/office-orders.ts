import * as s from 'superstruct'
import { ACCOUNT_KINDS, MOVEMENT_KINDS, STAFF_REASON_MAX_LENGTH } from '../rules/ledger.ts'
import { ORDER_METHODS, PAYMENT_METHODS } from '../rules/payment-methods.ts'
import { ORDER_STATUSES, PAYMENT_PROVIDERS, PAYMENT_STATES } from '../rules/payment-states.ts'
import { defineCall } from './call.ts'
import { Invoice } from './invoices.ts'
import { Contact } from './office-transfers.ts'
import {
  byId,
  dinarAmount,
  id,
  moment,
  pageOf,
  pageQuery,
  paymentReference,
  searchedText,
  signedDinars,
  text,
} from './values.ts'

/** An order as administrators find it. */
export const ShopOrder = s.type({
  id: id(),
  status: s.enums(ORDER_STATUSES),
  /** `wallet`, or how its payment was started. */
  method: s.enums(PAYMENT_METHODS),
  total: dinarAmount(),
  /** How much of it was refunded to the wallet. */
  refunded: dinarAmount(),
  createdAt: moment(),
  paidAt: s.nullable(moment()),
  receiptNumber: s.nullable(id()),
  buyer: Contact,
})
export type ShopOrder = s.Infer<typeof ShopOrder>

/**
 * Orders, newest first. `q` is the number of an order or a receipt, an amount, or a part of a
 * payment's reference or of the buyer's name, e-mail address or phone number.
 */
export const listShopOrders = defineCall('GET /office/admin/orders', 'admin', {
  query: s.object({
    ...pageQuery,
    q: s.optional(searchedText()),
    status: s.optional(s.enums(ORDER_STATUSES)),
  }),
  result: pageOf(ShopOrder),
})

const Item = s.type({
  documentId: id(),
  title: s.string(),
  teacher: s.string(),
  price: dinarAmount(),
  /** The teacher's part; null: not sold, or sold before sales were shared with teachers. */
  share: s.nullable(dinarAmount()),
  refundedAt: s.nullable(moment()),
  /** Whether the buyer owns it through this order. */
  isOwned: s.boolean(),
  /** The bundle of whose price its own is a share. */
  bundleId: s.nullable(id()),
  /** What it cost before the order's code, where that lowered the price. */
  priceBefore: s.nullable(dinarAmount()),
})

const OrderPayment = s.type({
  paymentRef: paymentReference(),
  provider: s.enums(PAYMENT_PROVIDERS),
  method: s.enums(ORDER_METHODS),
  state: s.enums(PAYMENT_STATES),
  amount: dinarAmount(),
  createdAt: moment(),
  settledAt: s.nullable(moment()),
})

/** A movement of the ledger; its entries sum to 0. */
const Movement = s.type({
  id: id(),
  kind: s.enums(MOVEMENT_KINDS),
  at: moment(),
  note: s.string(),
  entries: s.array(
    s.type({
      account: s.enums(ACCOUNT_KINDS),
      /** The teacher's or customer's name; '' for the shop's own accounts. */
      name: s.string(),
      amount: signedDinars(),
    }),
  ),
})

/** An order with its items, its payments and the movements of its money. */
export const ShopOrderDetail = s.type({
  ...ShopOrder.schema,
  /** The code that it was ordered with. */
  code: s.nullable(s.string()),
  items: s.array(Item),
  payments: s.array(OrderPayment),
  movements: s.array(Movement),
  /** Its invoice and credit notes, oldest first. */
  invoices: s.array(Invoice),
})
export type ShopOrderDetail = s.Infer<typeof ShopOrderDetail>

export const getShopOrder = defineCall('GET /office/admin/orders/:id', 'admin', {
  params: byId,
  result: ShopOrderDetail,
  errors: ['order_not_found'],
})

/**
 * Refunds an order, one document of it, or all of a bundle in it of which nothing was read or downloaded, to its
 * buyer's wallet, and revokes the access.
 */
export const refundShopOrder = defineCall('POST /office/admin/orders/:id/refund', 'admin', {
  idempotent: true,
  params: byId,
  body: s.object({
    documentId: s.optional(id()),
    bundleId: s.optional(id()),
    reason: text(1, STAFF_REASON_MAX_LENGTH),
    /** The sum that the page showed; if it has changed, another administrator was faster. */
    seen: dinarAmount(),
  }),
  result: s.type({
    refunded: dinarAmount(),
    /** The act that waits for a second administrator; null: it is refunded. */
    waits: s.nullable(id()),
  }),
  errors: [
    'order_not_found',
    'order_not_paid',
    'document_not_found',
    'bundle_not_found',
    'bundle_opened',
    'refund_changed',
    'act_waits',
    'done_before',
  ],
})
