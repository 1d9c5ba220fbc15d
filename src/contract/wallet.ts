import { array, enums, type Infer, object, optional, refine, size, string, type } from 'superstruct'

import { ORDER_MAX_DOCUMENTS } from '../rules/limits.ts'
import { defineCall } from './call.ts'
import { dinarAmount, id } from './values.ts'

/** The wallet's balance in dinars; only customers (PARENT) have a wallet. */
export const getBalance = defineCall({
  method: 'GET',
  path: '/wallet/balance',
  caller: 'user',
  query: object({ userId: id() }),
  result: type({ balance: dinarAmount() }),
  errors: ['forbidden'],
})

const DocumentIds = refine(
  size(array(id()), 1, ORDER_MAX_DOCUMENTS),
  'no document twice',
  (ids) => new Set(ids).size === ids.length,
)

export const PayPayload = object({ userId: id(), documentIds: DocumentIds })

/** Section 3: what a wallet purchase answers; the excluded documents were owned already. */
export const PurchaseResult = type({
  status: enums(['SUCCESS', 'PARTIAL_SUCCESS']),
  excludedDocuments: array(type({ id: optional(id()), title: string() })),
})
export type PurchaseResult = Infer<typeof PurchaseResult>

/** Pays documents from the wallet and grants them (decisions §8). */
export const payFromWallet = defineCall({
  method: 'POST',
  path: '/wallet/pay',
  caller: 'user',
  idempotent: true,
  body: PayPayload,
  result: PurchaseResult,
  errors: ['forbidden', 'insufficient_balance', 'document_not_found', 'idempotency_conflict'],
})

/** The same at checkout, which also takes the documents out of the buyer's cart. */
export const createAndPay = defineCall({
  method: 'POST',
  path: '/wallet/orders/create-and-pay',
  caller: 'user',
  idempotent: true,
  body: PayPayload,
  result: PurchaseResult,
  errors: ['forbidden', 'insufficient_balance', 'document_not_found', 'idempotency_conflict'],
})
