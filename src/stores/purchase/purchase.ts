import { atom, computed } from 'nanostores'
import { cartTotal } from '../../rules/cart.ts'
import {
  canPay,
  isOffered,
  PAYMENT_METHODS,
  type PaymentMethod,
} from '../../rules/payment-methods.ts'
import { $cart } from '../cart/cart.ts'
import { $owned, readPurchased } from '../library/owned.ts'
import { endIntent, type Intent, openIntents } from '../payment/intents.ts'
import { createPaying, type Paying } from '../payment/paying.ts'
import { $session } from '../session/session.ts'
import { logOnly } from '../shared/problem.ts'
import { $balance } from '../wallet/wallet.ts'
import { OrderFailed, type OrderStep, type OrderWay, startOrder } from './order-payment.ts'
import { $ordered } from './ordered.ts'
import { finishPurchase, payFromWallet, refreshAfter } from './wallet-purchase.ts'

/** What a failed payment of the cart adds to the problem: the step that failed. */
type Failure = { step: OrderStep | 'wallet' }

export type Purchase = Paying<Failure>

const paying = createPaying<Failure>('purchase')
export const $purchase = paying.$state

const $chosen = atom<PaymentMethod | null>(null)

export function chooseMethod(method: PaymentMethod): void {
  $chosen.set(method)
}

/** The items of the cart to pay now: neither those owned nor those that wait in an order. */
export const $payable = computed([$cart, $owned, $ordered], (cart, owned, ordered) =>
  cart.items.filter(({ documentId }) => !owned.has(documentId) && !ordered.has(documentId)),
)

/** Whether nothing of the cart is left to pay, since everything else waits in orders. */
export const $isAllOrdered = computed(
  [$cart, $payable, $ordered],
  ({ items }, payable, ordered) =>
    payable.length === 0 && items.some(({ documentId }) => ordered.has(documentId)),
)

/** The total of the cart. */
export const $total = computed($payable, (items) => cartTotal({ items: [...items] }))

/** The sum of the discounts. */
export const $savings = computed([$payable, $total], (items, total) =>
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
  [$method, $balance, $total, $cart, $isAllOrdered, $purchase],
  (method, balance, total, cart, isAllOrdered, { phase }) =>
    cart.items.length > 0 &&
    !isAllOrdered &&
    canPay({ method, balance: balance ?? 0, total, loading: phase === 'paying' }) &&
    phase !== 'done' &&
    phase !== 'leaving',
)

/** Opens the confirmation. */
export function startPurchase(): void {
  if ($canPay.get()) paying.confirm()
}

/** Closes the confirmation; a pending purchase is not cancelled. */
export function cancelPurchase(): void {
  paying.reset('confirming')
}

/** Called when the browser restores this page after the visitor went back from the gateway. */
export function resumePurchase(): void {
  paying.reset('leaving')
}

/** Pays the confirmed cart; `way` says how the customer returns from a payment elsewhere. */
export async function confirmPurchase(way: OrderWay): Promise<void> {
  const userId = $session.get()?.userId
  const method = $method.get()
  if ($purchase.get().phase !== 'confirming' || userId === undefined || method === null) return
  paying.begin()
  if (method !== 'wallet') return payOutside(userId, method, way)
  const ordered = $ordered.get()
  await payFromWallet(paying, {
    purpose: 'purchase',
    call: 'createAndPay',
    userId,
    documentIds: cartIds((id) => !ordered.has(id)),
    onFailure: (error) => paying.fail(error, { step: 'wallet' }),
  })
}

/** Orders what is not owned and starts the payment; the cart stays until the money arrives. */
async function payOutside(
  userId: number,
  method: Exclude<PaymentMethod, 'wallet'>,
  way: OrderWay,
): Promise<void> {
  const payable = new Set($payable.get().map(({ documentId }) => documentId))
  const documentIds = cartIds((id) => payable.has(id))
  try {
    const wanted = { userId, method, documentIds, total: $total.get() }
    paying.leave(await startOrder(wanted, way))
  } catch (error) {
    const failed = error instanceof OrderFailed ? error : new OrderFailed('start', error)
    paying.fail(failed.cause, { step: failed.step })
    refreshAfter(failed.cause)
  }
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
  for (const intent of openIntents('purchase', userId) as Intent<{ documentIds: number[] }>[]) {
    const documents = await readPurchased().catch(logOnly('purchase'))
    const owned = new Set(documents?.map(({ documentId }) => documentId))
    const { documentIds } = intent.body
    if (!documentIds.every((id) => owned.has(id))) continue
    if ($purchase.get().phase !== 'idle') return
    endIntent(intent)
    await finishPurchase(paying, documentIds, { status: 'SUCCESS', excludedDocuments: [] })
  }
}
