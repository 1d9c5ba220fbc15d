import * as s from 'superstruct'
import { ORDER_MAX_DOCUMENTS } from '../rules/cart.ts'
import { ORDER_METHODS, PAYMENT_METHODS, PAYMENT_PURPOSES } from '../rules/payment-methods.ts'
import {
  GATEWAYS,
  ORDER_STATUSES,
  PAYMENT_STATES,
  SANDBOX_STATES,
} from '../rules/payment-states.ts'
import { RETURN_TO_MAX_LENGTH } from '../rules/return-to.ts'
import { arrival, consent, MailLanguage } from './account-fields.ts'
import { defineCall } from './call.ts'
import { CODE_ERRORS, discount } from './discount-code-fields.ts'
import { Invoice } from './invoices.ts'
import {
  byId,
  dinarAmount,
  extra,
  id,
  moment,
  nothing,
  ours,
  paymentReference,
  text,
} from './values.ts'
import { StartedPayment } from './wallet.ts'

/** The gateways that a shop can be configured with; with `none` it takes only transfers and D17. */
export const PROVIDERS = ['none', ...GATEWAYS] as const
export type Provider = (typeof PROVIDERS)[number]

/** A payment as its payer sees it. `paymentUrl` is where it can be made, null once it cannot. */
export const Payment = s.type({
  paymentRef: paymentReference(),
  purpose: s.enums(PAYMENT_PURPOSES),
  method: s.enums(ORDER_METHODS),
  state: s.enums(PAYMENT_STATES),
  amount: dinarAmount(),
  orderId: s.nullable(id()),
  paymentUrl: s.nullable(s.string()),
  /** The path of the site to return to. */
  returnTo: s.string(),
  createdAt: moment(),
  expiresAt: moment(),
})
export type Payment = s.Infer<typeof Payment>

/** An order as its buyer sees it, with the prices at the time of ordering. */
export const Order = s.type({
  id: id(),
  status: s.enums(ORDER_STATUSES),
  /** `wallet`, or how its payment was started. */
  method: s.enums(PAYMENT_METHODS),
  total: dinarAmount(),
  /** The code that it was ordered with. */
  code: extra(s.string()),
  createdAt: moment(),
  paidAt: s.nullable(moment()),
  expiresAt: moment(),
  /** Consecutive over all paid orders; null until it is paid. */
  receiptNumber: s.nullable(id()),
  buyer: s.type({ name: s.string(), email: s.nullable(s.string()) }),
  items: s.array(
    s.type({
      documentId: id(),
      title: s.string(),
      price: dinarAmount(),
      /** When it was refunded to the wallet. */
      refundedAt: s.nullable(moment()),
      /** Whether the buyer owns it now. */
      isOwned: s.boolean(),
      /** The bundle of whose price its own is a share. */
      bundleId: extra(id()),
      /** What it cost before the order's code, where that lowered the price. */
      priceBefore: extra(dinarAmount()),
    }),
  ),
  /** The newest payment; null for an order paid from the wallet. */
  payment: s.nullable(Payment),
  /** Its invoice and credit notes, oldest first. */
  invoices: ours(s.array(Invoice), []),
})
export type Order = s.Infer<typeof Order>

const Reference = s.object({ id: id() })
const OrderDoc = s.refine(
  s.object({
    documentId: s.optional(id()),
    document: s.optional(Reference),
    /** The bundle of which it is bought. */
    bundleId: s.optional(id()),
  }),
  'a document',
  ({ documentId, document }) => (documentId ?? document?.id) !== undefined,
)

/**
 * Places an order for `userId` (or `user.id`) of documents by `documentId` (or `document.id`). It
 * is pending until it is paid, at most until `expiresAt`; documents that are owned, or wait in another
 * order, are refused with their titles. If `total`, the sum that the buyer was shown, is not the sum of
 * the final prices, nothing is ordered: `price_changed`, with the new prices.
 */
export const createOrder = defineCall('POST /orders/create', 'user', {
  idempotent: true,
  body: s.refine(
    s.object({
      userId: s.optional(id()),
      user: s.optional(Reference),
      orderDocs: s.size(s.array(OrderDoc), 1, ORDER_MAX_DOCUMENTS),
      total: s.optional(dinarAmount()),
      ...consent,
      ...arrival,
      ...discount,
    }),
    'a buyer',
    ({ userId, user }) =>
      (userId ?? user?.id) !== undefined || { path: ['userId'], value: undefined },
  ),
  result: s.type({ id: id() }),
  errors: [
    'forbidden',
    'already_owned',
    'already_ordered',
    'document_not_found',
    'price_changed',
    'terms_not_accepted',
    ...CODE_ERRORS,
  ],
})

/** Starts the payment of a pending order, or returns the one that is already running. */
export const initiatePayment = defineCall('POST /orderss/:provider/initiate', 'user', {
  idempotent: true,
  params: s.object({ provider: s.enums(PROVIDERS) }),
  query: s.object({
    orderId: id(),
    method: s.optional(s.enums(ORDER_METHODS)),
    returnTo: s.optional(text(0, RETURN_TO_MAX_LENGTH)),
    locale: s.optional(MailLanguage),
    acceptedTerms: consent.acceptedTerms,
  }),
  result: StartedPayment,
  errors: [
    'not_found',
    'terms_not_accepted',
    'order_not_found',
    'order_closed',
    'nothing_to_pay',
    'method_not_offered',
    'no_gateway',
    'no_account',
    'too_many_open_payments',
    'gateway_unavailable',
  ],
})

// Gateways use two names for the reference. None of these three calls grants anything by itself:
// each queries the gateway and settles what it reports.
const reference = s.object({
  paymentRef: s.optional(paymentReference()),
  payment_ref: s.optional(paymentReference()),
})

/**
 * The URL to which the browser returns from the gateway: it is redirected to "my documents" or
 * `returnTo`, which show a notice. Whatever the reference, and however busy the shop, the answer is
 * never JSON.
 */
export const paymentSuccess = defineCall('GET /orderss/payment/success', 'anyone', {
  query: reference,
  answers: 'redirect',
  result: nothing(),
})
export const paymentCancel = defineCall('GET /orderss/payment/cancel', 'anyone', {
  query: reference,
  answers: 'redirect',
  result: nothing(),
})
/** The gateway's webhook; its answer reveals nothing about the payment. */
export const paymentWebhook = defineCall('GET /orderss/payment/webhook', 'anyone', {
  feature: 'orders',
  query: reference,
  result: nothing(),
})

const OneReference = s.object({ paymentRef: paymentReference() })

/** The state of the caller's own payment, which "we are checking your payment" polls. */
export const getPayment = defineCall('GET /orderss/payment/state', 'user', {
  feature: 'orders',
  query: OneReference,
  result: Payment,
  errors: ['payment_not_found'],
})

/**
 * A bank transfer or D17 payment, for the page that says where to send the money. Anyone with the
 * reference, which cannot be guessed, may see it, since a link in an e-mail has no token.
 */
export const getTransfer = defineCall('GET /orderss/payment/transfer', 'anyone', {
  feature: 'orders',
  query: OneReference,
  result: s.assign(
    Payment,
    s.type({
      /** How its payer is told that the money has come; only in the account by default. */
      told: s.optional(s.enums(['email', 'sms', 'account'])),
    }),
  ),
  errors: ['payment_not_found'],
})

/**
 * A payment of the sandbox by its reference, for the sandbox's page; only if that is the gateway.
 */
export const getSandboxPayment = defineCall('GET /orderss/payment/sandbox', 'anyone', {
  feature: 'orders',
  query: OneReference,
  result: s.type({
    paymentRef: paymentReference(),
    amount: dinarAmount(),
    state: s.enums(SANDBOX_STATES),
    /** The path of the site to open once it is paid. */
    backTo: s.string(),
  }),
  errors: ['payment_not_found'],
})

/** A customer's orders, newest first, including waiting ones; paid ones have receipts. */
export const listOrders = defineCall('GET /orders/user/:userId', 'user', {
  feature: 'orders',
  params: s.object({ userId: id() }),
  result: s.array(Order),
  errors: ['forbidden'],
})

export const getOrder = defineCall('GET /orders/:id', 'user', {
  feature: 'orders',
  params: byId,
  result: Order,
  errors: ['order_not_found'],
})

/**
 * Cancels the caller's own pending order; an order in another state is unchanged. Money that still
 * arrives for it goes into the wallet.
 */
export const cancelOrder = defineCall('POST /orders/:id/cancel', 'user', {
  feature: 'orders',
  params: byId,
  result: Order,
  errors: ['order_not_found', 'order_paid'],
})
