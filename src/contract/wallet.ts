import * as s from 'superstruct'
import { ORDER_MAX_DOCUMENTS } from '../rules/cart.ts'
import { UNKNOWN_ID } from '../rules/features.ts'
import { PAGE_NUMBER_MAX, PAGE_SIZE_MAX } from '../rules/pager.ts'
import { DIRECT_METHODS, TRANSFER_METHODS } from '../rules/payment-methods.ts'
import { RETURN_TO_MAX_LENGTH } from '../rules/return-to.ts'
import { DESCRIPTION_MAX_LENGTH, NAME_MAX_LENGTH } from '../rules/validators.ts'
import { arrival, consent, MailLanguage } from './account-fields.ts'
import { defineCall } from './call.ts'
import { CODE_ERRORS, discount } from './discount-code-fields.ts'
import { HistoryEntry } from './history-entry.ts'
import {
  dinarAmount,
  extra,
  id,
  idOrNone,
  moment,
  ours,
  paymentReference,
  text,
  textOrNone,
  whole,
} from './values.ts'

/** The wallet's balance in dinars; only customers (PARENT) have a wallet. */
export const getBalance = defineCall('GET /wallet/balance', 'user', {
  query: s.object({ userId: id() }),
  result: s.type({ balance: dinarAmount() }),
  errors: ['forbidden'],
})

export const DocumentIds = s.refine(
  s.size(s.array(id()), 1, ORDER_MAX_DOCUMENTS),
  'no document twice',
  (ids) => new Set(ids).size === ids.length,
)

export const BundleIds = s.size(s.array(id()), 1, ORDER_MAX_DOCUMENTS)

export const PayPayload = s.object({
  userId: id(),
  documentIds: DocumentIds,
  /** The bundles at whose prices they are bought; one with a document that is neither among them nor owned is ignored. */
  bundleIds: s.optional(BundleIds),
  /**
   * The sum that the buyer was shown: the final prices of those of these documents that they do not
   * own. If it is not what the wallet would be charged now, nothing moves: `price_changed`, with the
   * new prices. Without it, the current prices are charged.
   */
  total: s.optional(dinarAmount()),
  ...consent,
  ...arrival,
  ...discount,
})

/** The result of a wallet purchase; the excluded documents were already owned. */
export const PurchaseResult = s.type({
  status: s.enums(['SUCCESS', 'PARTIAL_SUCCESS']),
  excludedDocuments: ours(s.array(s.type({ id: extra(id()), title: s.string() })), []),
})
export type PurchaseResult = s.Infer<typeof PurchaseResult>

const purchase = {
  idempotent: true,
  body: PayPayload,
  result: PurchaseResult,
  errors: [
    'forbidden',
    'insufficient_balance',
    'document_not_found',
    'price_changed',
    'terms_not_accepted',
    ...CODE_ERRORS,
  ],
} as const

/** Pays for documents from the wallet and grants them. */
export const payFromWallet = defineCall('POST /wallet/pay', 'user', purchase)

/** The same at checkout, which also takes the documents out of the buyer's cart. */
export const createAndPay = defineCall('POST /wallet/orders/create-and-pay', 'user', purchase)

/** A top-up by transfer that waits for its money, or failed recently. */
export const WaitingTopUp = s.type({
  paymentRef: paymentReference(),
  method: s.enums(TRANSFER_METHODS),
  state: s.enums(['pending', 'refused', 'expired']),
  amount: dinarAmount(),
  createdAt: moment(),
  expiresAt: moment(),
  /** The page that says where to send the money; null once it can no longer be sent. */
  paymentUrl: s.nullable(s.string()),
})
export type WaitingTopUp = s.Infer<typeof WaitingTopUp>

/** The wallet's movements, newest first; the first page also lists the waiting top-ups. */
export const walletHistory = defineCall('GET /wallet/history', 'user', {
  feature: 'wallet',
  query: s.object({
    userId: id(),
    page: s.optional(whole(0, PAGE_NUMBER_MAX)),
    size: s.optional(whole(1, PAGE_SIZE_MAX)),
  }),
  result: s.type({
    content: s.array(HistoryEntry),
    totalPages: s.number(),
    totalElements: s.number(),
    number: s.number(),
    /** Newest first; absent on later pages. */
    waiting: s.optional(s.array(WaitingTopUp)),
  }),
  errors: ['forbidden'],
})

/** What a payment needs to know about the page that it starts on. */
const wayBack = {
  /** The path of the site to return to; anything else is replaced by the default. */
  returnTo: s.optional(s.nullable(text(0, RETURN_TO_MAX_LENGTH))),
  /** The language of the pages and e-mails of this payment; Arabic by default. */
  locale: s.optional(s.nullable(MailLanguage)),
}

/** A started payment, and the URL where the payer makes it. */
export const StartedPayment = s.type({
  paymentUrl: s.string(),
  paymentRef: textOrNone(),
})
export type StartedPayment = s.Infer<typeof StartedPayment>

/**
 * Starts a top-up of `MIN_TOP_UP` to `MAX_TOP_UP`. `paymentMethod` is the configured provider's
 * name in any case, or `D17`; by default the provider. Names and phone number are ignored; the
 * account's are used.
 */
export const initiateRecharge = defineCall('POST /wallet/recharge/initiate', 'user', {
  idempotent: true,
  body: s.object({
    userId: id(),
    amount: dinarAmount(),
    currency: s.optional(s.nullable(s.literal('TND'))),
    description: s.optional(s.nullable(text(0, DESCRIPTION_MAX_LENGTH))),
    paymentMethod: s.optional(s.nullable(text(1, 32))),
    firstName: s.optional(s.nullable(text(0, NAME_MAX_LENGTH))),
    lastName: s.optional(s.nullable(text(0, NAME_MAX_LENGTH))),
    email: s.optional(s.nullable(text(0, 254))),
    phone: s.optional(s.nullable(text(0, 32))),
    ...wayBack,
  }),
  result: StartedPayment,
  errors: [
    'forbidden',
    'too_many_open_payments',
    'no_gateway',
    'no_account',
    'gateway_unavailable',
  ],
})

/**
 * Pays for documents without the wallet, from the modals of home, shop (`direct`) and details
 * (`card`), from `SMALL_PURCHASE_BELOW` on. `amount` is the sum that the buyer was shown: anything
 * but the sum of the final prices is refused (`price_changed`, with the new prices) and never charged.
 */
export const directPay = defineCall('POST /wallet/direct-pay', 'user', {
  idempotent: true,
  body: s.object({
    userId: id(),
    amount: dinarAmount(),
    paymentMethod: s.enums(DIRECT_METHODS),
    description: s.optional(s.nullable(text(0, DESCRIPTION_MAX_LENGTH))),
    documentIds: DocumentIds,
    ...consent,
    ...arrival,
    ...discount,
    ...wayBack,
  }),
  // Other backends may answer with anything: the payment has then succeeded.
  result: ours(
    s.type({
      status: ours(s.enums(['PENDING', 'SUCCESS']), 'SUCCESS'),
      orderId: idOrNone(),
      paymentUrl: extra(s.nullable(s.string())),
      paymentRef: extra(s.nullable(paymentReference())),
    }),
    { status: 'SUCCESS', orderId: UNKNOWN_ID },
  ),
  errors: [
    'forbidden',
    'already_owned',
    'already_ordered',
    'document_not_found',
    'price_changed',
    'terms_not_accepted',
    ...CODE_ERRORS,
    'method_not_offered',
    'order_closed',
    'nothing_to_pay',
    'no_gateway',
    'gateway_unavailable',
  ],
})
