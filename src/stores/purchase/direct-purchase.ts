import type { NewPrices } from '../../contract/errors.ts'
import type { PurchaseResult } from '../../contract/wallet.ts'
import { cleanItem, type NewItem } from '../../rules/cart.ts'
import { finalPrice, type Priced } from '../../rules/discount.ts'
import type { Millimes } from '../../rules/money.ts'
import { NUMBERED_PAGES } from '../../rules/numbered-pages.ts'
import {
  canPayDirectly,
  canPayFromWallet,
  DIRECT_PAYMENT_METHODS,
  type DirectMethod,
} from '../../rules/payment-methods.ts'
import { withIntent } from '../payment/intents.ts'
import { createPaying, type PaymentWay, paymentAddress } from '../payment/paying.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { type ProblemCode, problemOf, Refusal } from '../shared/problem.ts'
import { $balance } from '../wallet/wallet.ts'
import { $code, askQuote, dropCode } from './code.ts'
import { consentNow } from './consent.ts'
import { linkNow } from './link.ts'
import { rememberOrdered } from './ordered.ts'
import { finishPurchase, payFromWallet, refreshAfter } from './wallet-purchase.ts'

/** The document of a purchase modal, at the price that is shown. */
export interface ItemToBuy {
  documentId: number
  title: string
  price: Millimes
  /** The code in that price, and the price without it. */
  code?: string
  before?: Millimes
}

/** Why a purchase failed. */
type PurchaseFailure =
  | 'not_logged_in'
  | 'invalid_product'
  | 'insufficient'
  | 'already_owned'
  | 'already_ordered'
  | 'price_changed'
  | 'terms_not_accepted'
  | 'payment_failed'
  | 'busy'
  | 'unexpected'

/** A document whose price is not the one that the buyer was shown. */
export interface PriceChange {
  item: Priced & { documentId: number; title: string }
  /** The final price that was shown. */
  seen: Millimes
}

/** The details of a failed payment of one document: the reason, and a function that retries. */
type Failure = {
  failure: PurchaseFailure
  again: () => Promise<void>
  /** With `price_changed`, where the backend says the current price. */
  change?: PriceChange
}

const paying = createPaying<Failure>('purchase')
export const $directPurchase = paying.$state

/** The document of an add-to-cart button. */
export function itemToBuy(item: NewItem): ItemToBuy {
  const clean = cleanItem(item)
  return { documentId: clean.documentId, title: clean.title, price: finalPrice(clean) }
}

/** A document with the kept code; unchanged where the code is not for it. Throws an `ApiError`. */
export async function withCode(item: ItemToBuy): Promise<ItemToBuy> {
  const code = $code.get()
  if (!code || !$session.get()) return item
  try {
    const quote = await askQuote({ code, documentIds: [item.documentId] })
    const [quoted] = quote.documents
    return quoted ? { ...item, price: quoted.price, before: quoted.priceBefore, code } : item
  } catch (error) {
    if (NOT_FOR_IT.has(problemOf(error).code)) return item
    throw error
  }
}

const NOT_FOR_IT: ReadonlySet<ProblemCode> = new Set(['code_not_for_these', 'code_below_least'])

/** The payment method of a page, given its path without the language. */
export function directMethodOn(path: string): DirectMethod {
  return DIRECT_PAYMENT_METHODS[path.startsWith(`${NUMBERED_PAGES.document}/`) ? 'details' : 'shop']
}

/** Closes the alert of a failure; also called when the browser comes back from the payment. */
export function dismissOutcome(): void {
  paying.reset()
}

/** The user who pays; null if another purchase is under way, or this one cannot start. */
function begin(wanted: ItemToBuy, again: () => Promise<void>): number | null {
  if (!paying.begin()) return null
  const userId = $session.get()?.userId
  if (userId === undefined) {
    const error = new Refusal('authentication_required', 401)
    fail(error, { wanted, otherwise: 'not_logged_in', again })
    return null
  }
  if (Number.isSafeInteger(wanted.documentId) && wanted.documentId > 0) return userId
  fail(new Refusal('document_not_found', 404), { wanted, otherwise: 'invalid_product', again })
  return null
}

interface Attempt {
  wanted: ItemToBuy
  otherwise: PurchaseFailure
  again: () => Promise<void>
}

function fail(error: unknown, { wanted, otherwise, again }: Attempt): void {
  const { code, prices } = problemOf(error)
  const now = prices?.documents.find(({ id }) => id === wanted.documentId)
  const failure = now?.isOwned ? 'already_owned' : (FAILURES[code] ?? otherwise)
  refreshAfter(error)
  paying.fail(error, { failure, again, ...(now && { change: changeOf(wanted, now) }) })
}

function changeOf(
  { documentId, title, price: seen }: ItemToBuy,
  { price, priceDiscount }: NewPrices['documents'][number],
): PriceChange {
  return { item: { documentId, title, price, priceDiscount }, seen }
}

const FAILURES: Partial<Record<string, PurchaseFailure>> = {
  unavailable: 'busy',
  insufficient_balance: 'insufficient',
  already_owned: 'already_owned',
  already_ordered: 'already_ordered',
  order_closed: 'payment_failed',
  price_changed: 'price_changed',
  terms_not_accepted: 'terms_not_accepted',
  document_not_found: 'invalid_product',
  invalid_token: 'not_logged_in',
  authentication_required: 'not_logged_in',
}

/** Pays from the wallet; only if the balance covers the price. */
export async function buyFromWallet(wanted: ItemToBuy): Promise<void> {
  const { documentId, price, code } = wanted
  if (!canPayFromWallet({ price, balance: $balance.get() ?? 0 })) return
  const again = () => buyFromWallet(wanted)
  const userId = begin(wanted, again)
  if (userId === null) return
  await payFromWallet(paying, {
    purpose: 'wallet_pay',
    call: 'payFromWallet',
    userId,
    documentIds: [documentId],
    total: price,
    code,
    onFailure: (error) => fail(error, { wanted, otherwise: 'unexpected', again }),
  })
}

/** How a direct payment is made, and in which language. */
interface DirectWay extends PaymentWay {
  method: DirectMethod
}

/** Pays by card, without the wallet; only for a price of at least 10 dinars. */
export async function payDirectly(wanted: ItemToBuy, way: DirectWay): Promise<void> {
  const { documentId, title, price, code } = wanted
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
    ...(code && { code }),
    ...consentNow(),
    ...linkNow(),
    locale: way.locale,
  }
  try {
    const about = `${documentId} ${price}${code ? ` ${code}` : ''}`
    const intent = { purpose: 'direct_pay', userId, about, body } as const
    const started = await withIntent(intent, (sent, options) =>
      ask(({ wallet }) => wallet.directPay, { body: sent }, options),
    )
    dropCode(code)
    if (!started.paymentUrl) return await finishPurchase(paying, [documentId], NOTHING_EXCLUDED)
    const paymentUrl = paymentAddress(started.paymentUrl, way.origins)
    rememberOrdered(started.orderId, [documentId])
    paying.leave(paymentUrl)
  } catch (error) {
    fail(error, { wanted, otherwise: 'payment_failed', again })
  }
}

const NOTHING_EXCLUDED: PurchaseResult = { status: 'SUCCESS', excludedDocuments: [] }
