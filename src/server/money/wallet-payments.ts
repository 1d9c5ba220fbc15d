import type { PurchaseResult } from '../../contract/wallet.ts'
import type { Millimes } from '../../rules/money.ts'
import { takeOutOfCarts } from '../carts/carts.ts'
import { grouped } from '../concurrency/grouped.ts'
import { codeOf } from '../database/start-error.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import { DatabaseUnavailable } from '../database/unavailable.ts'
import type { Deps } from '../deps.ts'
import { ApiFault } from '../http/errors.ts'
import { type Intent, onceEach } from '../http/idempotency.ts'
import { enqueueReceipts } from '../mail/mail.ts'
import { presentPurchase } from './present-purchase.ts'
import { type Purchase, purchaseAll } from './purchase.ts'
import { tagsOfSale } from './sale.ts'

/** A payment for documents from the buyer's wallet, by a call with an idempotency key. */
export interface WalletPayment extends Intent {
  readonly documentIds: readonly number[]
  /** What the buyer was shown that it costs. */
  readonly total?: Millimes | undefined
  /** Whether the documents are removed from the buyer's cart. */
  readonly isOfCart: boolean
}

/** How many groups are paid at a time; each uses one connection. */
const AT_ONCE = 4
/** A group that takes longer (milliseconds) waits for a lock, or for a slow disk. */
const PATIENCE_MS = 50
/** How many payments share a transaction, at most. */
const MOST = 32
/** So many payments that wait together always share one. */
const UNDIVIDED = 8
/** How many payments may wait; with more of them, the wait is longer than any client's patience. */
const MOST_WAITING = 1000
/** Half of the places: one customer's calls leave the others to everybody else. */
const MOST_WAITING_OF_ONE = 500

type Pay = (payment: WalletPayment) => Promise<PurchaseResult>

const ofShops = new WeakMap<Deps, Pay>()

/**
 * Pays once for each key and grants the documents. Simultaneous payments share a transaction: most of a
 * purchase's cost is in its statements and commit, whose number is the same for twenty payments as for one.
 * Each payment is accepted or refused on its own, and an error that aborts their transaction fails only the
 * payment that caused it.
 */
export function payFromWallets(deps: Deps, payment: WalletPayment): Promise<PurchaseResult> {
  const pay = ofShops.get(deps) ?? openPayments(deps)
  ofShops.set(deps, pay)
  return pay(payment)
}

function openPayments(deps: Deps): Pay {
  return grouped<WalletPayment, PurchaseResult>({
    ownerOf: ({ userId }) => userId,
    work: (payments, letNextBegin) => payTogether(deps, payments, letNextBegin),
    atOnce: AT_ONCE,
    patienceMs: PATIENCE_MS,
    most: MOST,
    undivided: UNDIVIDED,
    waiting: MOST_WAITING,
    waitingOfOne: MOST_WAITING_OF_ONE,
    refusal: () => new DatabaseUnavailable('too many payments wait'),
  })
}

async function payTogether(
  deps: Deps,
  payments: readonly WalletPayment[],
  letNextBegin: () => void,
): Promise<(PurchaseResult | Error)[]> {
  try {
    return await payAll(deps, payments, letNextBegin)
  } catch (error) {
    if (payments.length === 1 || !isOfOne(error)) throw error
    const alone = await Promise.allSettled(payments.map((payment) => payAll(deps, [payment])))
    return alone.map((each) =>
      each.status === 'fulfilled' ? (each.value[0] as PurchaseResult) : each.reason,
    )
  }
}

const LOCK_TIMEOUT = '55P03'

/** Whether the error may concern only one payment of the transaction: not where the database is unreachable. */
function isOfOne(error: unknown): boolean {
  return !(error instanceof DatabaseUnavailable) || codeOf(error.cause) === LOCK_TIMEOUT
}

/** The result of a purchase of documents that the buyer did not own. */
const LIKELY: PurchaseResult = { status: 'SUCCESS', excludedDocuments: [] }

/** Executes payments in one transaction, refreshes the public pages and mails the buyers. */
async function payAll(
  deps: Deps,
  payments: readonly WalletPayment[],
  letNextBegin: () => void = () => {},
): Promise<(PurchaseResult | ApiFault)[]> {
  let done: readonly Purchase[] = []
  const results = await transaction(deps.database, (tx) => {
    // Discards the results of an aborted attempt.
    done = []
    return onceEach(tx, { intents: payments, likely: LIKELY }, async (fresh) => {
      const requests = fresh.map(({ userId, documentIds, total }) => ({
        buyerId: userId,
        documentIds,
        total,
      }))
      const outcomes = await purchaseAll(tx, requests, async (purchases) => {
        done = purchases
        await followPurchases(tx, deps, { purchases, payments: fresh })
        // What is left is locked by all purchases, and short.
        letNextBegin()
      })
      return outcomes.map((each) => (each instanceof ApiFault ? each : presentPurchase(each)))
    })
  })
  const sold = done.flatMap(({ bought }) => bought)
  if (sold.length > 0) deps.publisher.changedSoon(tagsOfSale(sold))
  return results
}

/** Does the work on rows that only the buyers themselves touch. */
async function followPurchases(
  tx: Tx,
  { jobs }: Deps,
  { purchases, payments }: { purchases: readonly Purchase[]; payments: readonly WalletPayment[] },
): Promise<void> {
  const buyers = new Set(purchases.map(({ buyerId }) => buyerId))
  await takeOutOfCarts(
    tx,
    payments.filter(({ userId, isOfCart }) => isOfCart && buyers.has(userId)),
  )
  await enqueueReceipts(
    tx,
    jobs,
    purchases.flatMap(({ orderId }) => orderId ?? []),
  )
}
