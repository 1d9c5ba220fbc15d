import { atom, readonlyType } from 'nanostores'
import type { PurchaseResult } from '../../contract/wallet.ts'
import { cleanItem, type NewItem } from '../../rules/cart.ts'
import { finalPrice } from '../../rules/discount.ts'
import type { Millimes } from '../../rules/money.ts'
import { safePaymentUrl } from '../../rules/payment-address.ts'
import { DIRECT_PAYMENT_METHODS } from '../../rules/payment-methods.ts'
import { canPayDirectly, canPayFromWallet } from '../../rules/purchase-options.ts'
import { $session } from '../account/session.ts'
import { ask } from '../shared/backend.ts'
import { isDecided, logOnly, problemOf } from '../shared/problem.ts'
import { $balance, loadBalance } from '../wallet/wallet.ts'
import { announcePurchase, settlePurchase } from './complete.ts'
import { withIntent } from './intents.ts'
import { loadOrdered, rememberOrdered } from './ordered.ts'
import type { PaymentWay } from './payment-way.ts'

/** The document that a purchase modal is about, at the final price that it shows. */
export interface ItemToBuy {
  documentId: number
  title: string
  price: Millimes
}

/** Why a purchase did not come about. */
export type PurchaseFailure =
  | 'not_logged_in'
  | 'invalid_product'
  | 'insufficient'
  | 'already_owned'
  | 'already_ordered'
  | 'price_changed'
  | 'payment_failed'
  | 'unexpected'

/** Where the purchase of one document is. */
export type DirectPurchase =
  | { phase: 'idle' }
  | { phase: 'paying' }
  /** `isOpen`: no answer came; trying again repeats the same purchase and never charges twice. */
  | { phase: 'failed'; failure: PurchaseFailure; isOpen: boolean; again: () => Promise<void> }
  /** The page is to leave: for my documents, or for where the payment is made. */
  | { phase: 'bought' }
  | { phase: 'leaving'; paymentUrl: string }

const $state = atom<DirectPurchase>({ phase: 'idle' })
export const $directPurchase = readonlyType($state)

/** The document of an add-to-cart button. */
export function itemToBuy(item: NewItem): ItemToBuy {
  const clean = cleanItem(item)
  return { documentId: clean.documentId, title: clean.title, price: finalPrice(clean) }
}

/** The method that a page names, from its path without the language. */
export function directMethodOn(path: string): 'direct' | 'card' {
  return DIRECT_PAYMENT_METHODS[path.startsWith('/shop-details/') ? 'details' : 'shop']
}

/** Closes the alert of a failure; also when the browser comes back from where it was sent. */
export function dismissOutcome(): void {
  if ($state.get().phase !== 'paying') $state.set({ phase: 'idle' })
}

function begin(wanted: ItemToBuy, again: () => Promise<void>): number | null {
  if ($state.get().phase === 'paying') return null
  const userId = $session.get()?.userId
  const failure = userId === undefined ? 'not_logged_in' : 'invalid_product'
  if (userId === undefined || !Number.isSafeInteger(wanted.documentId) || wanted.documentId < 1) {
    $state.set({ phase: 'failed', failure, isOpen: false, again })
    return null
  }
  $state.set({ phase: 'paying' })
  return userId
}

function fail(error: unknown, otherwise: PurchaseFailure, again: () => Promise<void>): void {
  logOnly('purchase')(error)
  const problem = problemOf(error)
  const failure = FAILURES[problem.code] ?? otherwise
  // What the page shows is out of date.
  if (failure === 'already_ordered') void loadOrdered()
  $state.set({ phase: 'failed', failure, isOpen: !isDecided(problem), again })
}

const FAILURES: Partial<Record<string, PurchaseFailure>> = {
  insufficient_balance: 'insufficient',
  already_owned: 'already_owned',
  already_ordered: 'already_ordered',
  order_closed: 'payment_failed',
  price_changed: 'price_changed',
  document_not_found: 'invalid_product',
  invalid_token: 'not_logged_in',
  authentication_required: 'not_logged_in',
}

/** Pays from the wallet; only when the balance covers the price. */
export async function buyFromWallet(wanted: ItemToBuy): Promise<void> {
  const { documentId, price } = wanted
  if (!canPayFromWallet({ price, balance: $balance.get() ?? 0 })) return
  const again = () => buyFromWallet(wanted)
  const userId = begin(wanted, again)
  if (userId === null) return
  try {
    const body = { userId, documentIds: [documentId] }
    const intent = { purpose: 'wallet_pay', userId, about: `${documentId}`, body } as const
    const result = await withIntent(intent, (sent, options) =>
      ask(({ wallet }) => wallet.payFromWallet, { body: sent }, options),
    )
    await finish(documentId, result)
  } catch (error) {
    fail(error, 'unexpected', again)
    void loadBalance()
  }
}

/** How a direct payment is made, and in which language. */
export interface DirectWay extends PaymentWay {
  method: 'direct' | 'card'
}

/** Pays by card, without the wallet; only from 10 dinars on. */
export async function payDirectly(wanted: ItemToBuy, way: DirectWay): Promise<void> {
  const { documentId, title, price } = wanted
  if (!canPayDirectly(price)) return
  const again = () => payDirectly(wanted, way)
  const userId = begin(wanted, again)
  if (userId === null) return
  const body = {
    userId,
    amount: price,
    paymentMethod: way.method,
    description: title,
    documentIds: [documentId],
    locale: way.locale,
  }
  try {
    const about = `${documentId} ${price}`
    const intent = { purpose: 'direct_pay', userId, about, body } as const
    const started = await withIntent(intent, (sent, options) =>
      ask(({ wallet }) => wallet.directPay, { body: sent }, options),
    )
    if (!started.paymentUrl) return await finish(documentId, NOTHING_EXCLUDED)
    const paymentUrl = safePaymentUrl(started.paymentUrl, way.origins)
    if (paymentUrl) {
      rememberOrdered(started.orderId, [documentId])
      return $state.set({ phase: 'leaving', paymentUrl })
    }
    $state.set({ phase: 'failed', failure: 'payment_failed', isOpen: false, again })
  } catch (error) {
    fail(error, 'payment_failed', again)
  }
}

const NOTHING_EXCLUDED: PurchaseResult = { status: 'SUCCESS', excludedDocuments: [] }

async function finish(documentId: number, result: PurchaseResult): Promise<void> {
  announcePurchase(result)
  await settlePurchase([documentId])
  $state.set({ phase: 'bought' })
}
