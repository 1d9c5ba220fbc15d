import type { PurchaseResult } from '../../contract/wallet.ts'
import { takeOutOfCarts } from '../carts/carts.ts'
import { codeOf } from '../database/start-error.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import { DatabaseUnavailable } from '../database/unavailable.ts'
import type { Deps } from '../deps.ts'
import { grouped } from '../grouped.ts'
import { ApiFault } from '../http/errors.ts'
import { type Intent, onceEach } from '../http/idempotency.ts'
import { enqueueReceipts } from '../mail/mail.ts'
import { presentPurchase } from './present-purchase.ts'
import { type Purchase, purchaseAll } from './purchase.ts'
import { tagsOfSale } from './sale.ts'

/** Documents that a buyer pays from the wallet, by a call that carries a key. */
export interface WalletPayment extends Intent {
  readonly documentIds: readonly number[]
  /** Whether they are taken out of the buyer's cart. */
  readonly isOfCart: boolean
}

/** How many groups are paid at a time; each has a connection. */
const AT_ONCE = 4
/** A group beside another costs more for each payment than one after it, unless it is large. */
const CROWD = 12
/** After this long a group waits for a lock, or the disk is slow (milliseconds). */
const PATIENCE_MS = 50
/** How many payments share a transaction, at most. */
const MOST = 32
/** How many may wait for it; more take longer than anybody waits. */
const MOST_WAITING = 1000

type Pay = (payment: WalletPayment) => Promise<PurchaseResult>

const ofShops = new WeakMap<Deps, Pay>()

/**
 * Pays once for a key and grants what is paid. Payments that come at the same time share a transaction: what a
 * purchase costs is mostly the statements and the commit, which are the same for twenty as for one. Each is paid or
 * refused for itself, and whatever breaks their transaction off is met by its own payment alone.
 */
export function payFromWallets(deps: Deps, payment: WalletPayment): Promise<PurchaseResult> {
  const pay = ofShops.get(deps) ?? openPayments(deps)
  ofShops.set(deps, pay)
  return pay(payment)
}

function openPayments(deps: Deps): Pay {
  return grouped<WalletPayment, PurchaseResult>({
    ownerOf: ({ userId }) => userId,
    work: (payments) => payTogether(deps, payments),
    atOnce: AT_ONCE,
    crowd: CROWD,
    patienceMs: PATIENCE_MS,
    most: MOST,
    waiting: MOST_WAITING,
    refusal: () => new DatabaseUnavailable('too many payments wait'),
  })
}

async function payTogether(
  deps: Deps,
  payments: readonly WalletPayment[],
): Promise<(PurchaseResult | Error)[]> {
  try {
    return await payAll(deps, payments)
  } catch (error) {
    if (payments.length === 1 || !isOfOne(error)) throw error
    const alone = await Promise.allSettled(payments.map((payment) => payAll(deps, [payment])))
    return alone.map((each) =>
      each.status === 'fulfilled' ? (each.value[0] as PurchaseResult) : each.reason,
    )
  }
}

const LOCK_TIMEOUT = '55P03'

/** Whether others in the same transaction may fare better: not where the database is away. */
function isOfOne(error: unknown): boolean {
  return !(error instanceof DatabaseUnavailable) || codeOf(error.cause) === LOCK_TIMEOUT
}

/** Of a purchase of documents of which the buyer has none. */
const LIKELY: PurchaseResult = { status: 'SUCCESS', excludedDocuments: [] }

/** Pays in one transaction, refreshes the public pages and mails the buyers. */
async function payAll(
  deps: Deps,
  payments: readonly WalletPayment[],
): Promise<(PurchaseResult | ApiFault)[]> {
  let done: readonly Purchase[] = []
  const results = await transaction(deps.database, (tx) => {
    // What an attempt did that was broken off.
    done = []
    return onceEach(tx, { intents: payments, likely: LIKELY }, async (fresh) => {
      const requests = fresh.map(({ userId, documentIds }) => ({ buyerId: userId, documentIds }))
      const outcomes = await purchaseAll(tx, requests, async (purchases) => {
        done = purchases
        await followPurchases(tx, deps, { purchases, payments: fresh })
      })
      return outcomes.map((each) => (each instanceof ApiFault ? each : presentPurchase(each)))
    })
  })
  const sold = done.flatMap(({ bought }) => bought)
  if (sold.length > 0) deps.publisher.changedSoon(tagsOfSale(sold))
  return results
}

/** What only the buyers touch. */
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
