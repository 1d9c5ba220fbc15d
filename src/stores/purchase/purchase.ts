import { atom, computed, readonlyType } from 'nanostores'
import { sumOf } from '../../rules/bundles.ts'
import type { Millimes } from '../../rules/money.ts'
import {
  canPay,
  isOffered,
  PAYMENT_METHODS,
  type PaymentMethod,
} from '../../rules/payment-methods.ts'
import { $cart } from '../cart/cart.ts'
import { readPurchased } from '../library/owned.ts'
import { endIntent, type Intent, openIntents } from '../payment/intents.ts'
import { createPaying, type Paying } from '../payment/paying.ts'
import { $session } from '../session/session.ts'
import { logOnly, type Problem, problemOf } from '../shared/problem.ts'
import { $balance } from '../wallet/wallet.ts'
import { $cartCode, $prices, askAgain, codeNow } from './cart-code.ts'
import { $code, dropCode } from './code.ts'
import { OrderFailed, type OrderStep, type OrderWay, startOrder } from './order-payment.ts'
import { $ordered } from './ordered.ts'
import { $payable } from './payable.ts'
import { finishPurchase, payFromWallet, refreshAfter, type WalletBody } from './wallet-purchase.ts'

/** What a failed payment of the cart adds to the problem: the step that failed. */
type Failure = { step: OrderStep | 'wallet' }

export type Purchase = Paying<Failure>

const paying = createPaying<Failure>('purchase')
export const $purchase = paying.$state

const $chosen = atom<PaymentMethod | null>(null)

export function chooseMethod(method: PaymentMethod): void {
  $chosen.set(method)
}

/** Whether nothing of the cart is left to pay, since everything else waits in orders. */
export const $isAllOrdered = computed(
  [$cart, $payable, $ordered],
  ({ items }, payable, ordered) =>
    payable.length === 0 && items.some(({ documentId }) => ordered.has(documentId)),
)

/** What is to be paid, and what it would be without the code. */
export const $total = computed($prices, (prices) =>
  sumOf([...prices.values()].map(({ price }) => price)),
)
export const $totalBefore = computed($prices, (prices) =>
  sumOf([...prices.values()].map(({ priceBefore }) => priceBefore)),
)

/** What discounts take off, without the code. */
export const $savings = computed([$payable, $totalBefore], (items, total) =>
  items.reduce((left, item) => left + item.price, -total),
)

/** The methods allowed for this total; a free cart needs none. */
export const $methods = computed($total, (total) =>
  PAYMENT_METHODS.filter((method) =>
    total === 0 ? method === 'wallet' : isOffered(method, total),
  ),
)

/** The chosen method; null unless one is chosen that is allowed for the total. */
export const $method = computed([$chosen, $methods, $total], (chosen, methods, total) => {
  if (total === 0) return 'wallet'
  return chosen !== null && methods.includes(chosen) ? chosen : null
})

/** Whether the pay button is enabled; an unknown balance counts as 0. */
export const $canPay = computed(
  [$method, $balance, $total, $cart, $isAllOrdered, $purchase, $cartCode],
  (method, balance, total, cart, isAllOrdered, { phase }, code) =>
    cart.items.length > 0 &&
    !isAllOrdered &&
    code.phase !== 'asking' &&
    canPay({ method, balance: balance ?? 0, total, loading: phase === 'paying' }) &&
    phase !== 'done' &&
    phase !== 'leaving',
)

/** What the buyer was shown when they confirmed: what each document to pay costs, and the total. */
interface SeenPrices {
  prices: ReadonlyMap<number, Millimes>
  total: Millimes
}

const $outdated = atom<SeenPrices | null>(null)

/**
 * What the buyer had confirmed before the server refused it because prices have changed; null unless
 * the confirmation is asked for again. `$cart` and `$total` are the current ones.
 */
export const $seenBefore = readonlyType($outdated)

/** Whether the confirmation asks again: prices have changed, or the terms. */
export const isAskedAgain = ({ code }: Problem) =>
  code === 'price_changed' || code === 'terms_not_accepted'

/** Whether the confirmation is open, for the first time or again. */
export const $isAsking = computed(
  $purchase,
  (state) =>
    state.phase === 'confirming' || (state.phase === 'failed' && isAskedAgain(state.problem)),
)

export function startPurchase(): void {
  if (!$canPay.get()) return
  $outdated.set(null)
  paying.confirm()
}

/** Closes the confirmation; a pending purchase is not cancelled. */
export function cancelPurchase(): void {
  if ($isAsking.get()) paying.reset()
}

/** Called when the browser restores this page after the visitor went back from the gateway. */
export function resumePurchase(): void {
  paying.reset('leaving')
}

/**
 * Pays the confirmed cart, at the total that is shown; `way` says how the customer returns from a
 * payment elsewhere. Where prices have changed, nothing is paid, and the confirmation asks again.
 */
export async function confirmPurchase(way: OrderWay): Promise<void> {
  const userId = $session.get()?.userId
  const method = $method.get()
  if (!$isAsking.get() || userId === undefined || method === null) return
  if ($cartCode.get().phase === 'asking') return
  const seen = seenNow()
  paying.begin()
  if (method !== 'wallet') return payOutside(userId, method, { way, seen })
  const ordered = $ordered.get()
  await payFromWallet(paying, {
    purpose: 'purchase',
    call: 'createAndPay',
    userId,
    documentIds: cartIds((id) => !ordered.has(id)),
    bundleIds: [...new Set(bundlesNow().values())],
    total: seen.total,
    code: codeNow(),
    onFailure: (error) => fail(error, { step: 'wallet', seen }),
  })
}

/** Orders what is not owned and starts the payment; the cart stays until the money arrives. */
async function payOutside(
  userId: number,
  method: Exclude<PaymentMethod, 'wallet'>,
  { way, seen }: { way: OrderWay; seen: SeenPrices },
): Promise<void> {
  const payable = new Set($payable.get().map(({ documentId }) => documentId))
  const documentIds = cartIds((id) => payable.has(id))
  const code = codeNow()
  try {
    const bundles = bundlesNow()
    const wanted = { userId, method, documentIds, bundles, total: seen.total, code }
    const paymentUrl = await startOrder(wanted, way)
    dropCode(code)
    paying.leave(paymentUrl)
  } catch (error) {
    const failed = error instanceof OrderFailed ? error : new OrderFailed('start', error)
    fail(failed.cause, { step: failed.step, seen })
  }
}

async function fail(error: unknown, { step, seen }: Failure & { seen: SeenPrices }): Promise<void> {
  // Before the confirmation asks again, so that it never shows the old prices as current ones.
  refreshAfter(error)
  const isChanged = problemOf(error).code === 'price_changed'
  if (isChanged && $code.get()) await askAgain()
  $outdated.set(isChanged ? seen : null)
  paying.fail(error, { step })
}

function seenNow(): SeenPrices {
  const prices = [...$prices.get()].map(([id, { price }]) => [id, price] as const)
  return { prices: new Map(prices), total: $total.get() }
}

/** The bundles that count, by the documents to pay. */
function bundlesNow(): ReadonlyMap<number, number> {
  const items = $payable.get()
  return new Map(
    items.flatMap(({ documentId, bundle }) => (bundle ? [[documentId, bundle.id]] : [])),
  )
}

/** Ascending, so that the same documents are the same intent. */
function cartIds(isWanted: (id: number) => boolean): number[] {
  const ids = $cart.get().items.map(({ documentId }) => documentId)
  return ids.filter(isWanted).sort((a, b) => a - b)
}

/**
 * Settles a purchase whose answer never came (the page was closed, the connection lost): if all its
 * documents are owned by now, it succeeded, and they are removed from the cart.
 */
export async function settleOpenIntent(): Promise<void> {
  const userId = $session.get()?.userId
  if (userId === undefined) return
  for (const intent of openIntents('purchase', userId) as Intent<WalletBody>[]) {
    const documents = await readPurchased().catch(logOnly('purchase'))
    const owned = new Set(documents?.map(({ documentId }) => documentId))
    const { documentIds, code } = intent.body
    if (!documentIds.every((id) => owned.has(id))) continue
    if ($purchase.get().phase !== 'idle') return
    endIntent(intent)
    dropCode(code)
    await finishPurchase(paying, documentIds, { status: 'SUCCESS', excludedDocuments: [] })
  }
}
