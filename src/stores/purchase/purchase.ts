import { atom, computed, readonlyType } from 'nanostores'
import type { PurchaseResult } from '../../contract/wallet.ts'
import { cartTotal } from '../../rules/cart.ts'
import {
  canPay,
  isOffered,
  PAYMENT_METHODS,
  type PaymentMethod,
} from '../../rules/payment-methods.ts'
import { $session } from '../account/session.ts'
import { $cart, syncCart } from '../cart/cart.ts'
import { $owned, loadOwned, readPurchased } from '../library/owned.ts'
import { ask } from '../shared/backend.ts'
import { isDecided, logOnly, type Problem, problemOf } from '../shared/problem.ts'
import { $balance, loadBalance } from '../wallet/wallet.ts'
import { announcePurchase, settlePurchase } from './complete.ts'
import { endIntent, type Intent, openIntents, withIntent } from './intents.ts'
import { OrderFailed, type OrderStep, type OrderWay, startOrder } from './order-payment.ts'
import { $ordered, loadOrdered } from './ordered.ts'

type WalletBody = { userId: number; documentIds: number[] }

/** Where the purchase of the cart is. */
export type Purchase =
  | { phase: 'choosing' }
  | { phase: 'confirming' }
  | { phase: 'paying' }
  /** `isOpen`: no answer came; paying again repeats the same purchase and never charges twice. */
  | { phase: 'failed'; problem: Problem; isOpen: boolean; step: OrderStep | 'wallet' }
  /** The browser is to go there to pay. */
  | { phase: 'leaving'; paymentUrl: string }
  /** `excluded`: titles that were owned before; `isSettled`: cart, balance and list are up to date. */
  | { phase: 'done'; excluded: readonly string[]; isSettled: boolean }

const $state = atom<Purchase>({ phase: 'choosing' })
export const $purchase = readonlyType($state)

const $chosen = atom<PaymentMethod | null>(null)

export function chooseMethod(method: PaymentMethod): void {
  $chosen.set(method)
}

/** What of the cart is bought now: neither what is owned already nor what waits in an order. */
export const $payable = computed([$cart, $owned, $ordered], (cart, owned, ordered) =>
  cart.items.filter(({ documentId }) => !owned.has(documentId) && !ordered.has(documentId)),
)

/** Whether nothing of the cart is left to buy here, since the rest waits in orders. */
export const $isAllOrdered = computed(
  [$cart, $payable, $ordered],
  ({ items }, payable, ordered) =>
    payable.length === 0 && items.some(({ documentId }) => ordered.has(documentId)),
)

/** What the cart will cost. */
export const $total = computed($payable, (items) => cartTotal({ items: [...items] }))

/** What the discounts take off. */
export const $savings = computed([$payable, $total], (items, total) =>
  items.reduce((left, item) => left + item.price, -total),
)

/** The methods that this total may be paid with; what is free needs no money from anywhere. */
export const $methods = computed($total, (total) =>
  PAYMENT_METHODS.filter((method) =>
    total === 0 ? method === 'wallet' : isOffered(method, total),
  ),
)

/** How it is paid; null while nothing is chosen that the total may be paid with. */
export const $method = computed([$chosen, $methods, $total], (chosen, methods, total) => {
  if (total === 0) return 'wallet'
  return chosen !== null && methods.includes(chosen) ? chosen : null
})

/** Whether the pay button works; an unknown balance counts as none. */
export const $canPay = computed(
  [$method, $balance, $total, $cart, $isAllOrdered, $state],
  (method, balance, total, cart, isAllOrdered, { phase }) =>
    cart.items.length > 0 &&
    !isAllOrdered &&
    canPay({ method, balance: balance ?? 0, total, loading: phase === 'paying' }) &&
    phase !== 'done' &&
    phase !== 'leaving',
)

/** Opens the confirmation. */
export function startPurchase(): void {
  if ($canPay.get()) $state.set({ phase: 'confirming' })
}

/** Goes back from the confirmation; a purchase on its way is not called back. */
export function cancelPurchase(): void {
  if ($state.get().phase === 'confirming') $state.set({ phase: 'choosing' })
}

/** Back from the gateway by the browser's own button: the page as it was lives on. */
export function resumePurchase(): void {
  if ($state.get().phase === 'leaving') $state.set({ phase: 'choosing' })
}

/** Pays the cart as it was confirmed; `way` is how another payment comes back. */
export async function confirmPurchase(way: OrderWay): Promise<void> {
  const userId = $session.get()?.userId
  const method = $method.get()
  if ($state.get().phase !== 'confirming' || userId === undefined || method === null) return
  $state.set({ phase: 'paying' })
  await (method === 'wallet' ? payFromWallet(userId) : payOutside(userId, method, way))
}

async function payFromWallet(userId: number): Promise<void> {
  const ordered = $ordered.get()
  const documentIds = cartIds((id) => !ordered.has(id))
  const wanted = { purpose: 'purchase', userId, about: documentIds.join() } as const
  try {
    const result = await withIntent<WalletBody, PurchaseResult>(
      { ...wanted, body: { userId, documentIds } },
      (body, options) => ask(({ wallet }) => wallet.createAndPay, { body }, options),
    )
    await finish(documentIds, result)
  } catch (error) {
    fail(error, 'wallet')
    void loadBalance()
  }
}

/** Orders what is not owned and starts its payment; the cart stays until the money is there. */
async function payOutside(
  userId: number,
  method: Exclude<PaymentMethod, 'wallet'>,
  way: OrderWay,
): Promise<void> {
  const payable = new Set($payable.get().map(({ documentId }) => documentId))
  const documentIds = cartIds((id) => payable.has(id))
  try {
    const wanted = { userId, method, documentIds, total: $total.get() }
    $state.set({ phase: 'leaving', paymentUrl: await startOrder(wanted, way) })
  } catch (error) {
    const failed = error instanceof OrderFailed ? error : new OrderFailed('start', error)
    fail(failed.cause, failed.step)
    const { code } = problemOf(failed.cause)
    // What the page shows is out of date: the next try is about what is so now.
    if (code === 'already_owned' || code === 'nothing_to_pay') void loadOwned()
    if (code === 'already_ordered' || code === 'nothing_to_pay') void loadOrdered()
    if (code === 'price_changed' || code === 'document_not_found') void syncCart()
  }
}

/** Ascending, so that the same documents are the same intent. */
function cartIds(isWanted: (id: number) => boolean): number[] {
  const ids = $cart.get().items.map(({ documentId }) => documentId)
  return ids.filter(isWanted).sort((a, b) => a - b)
}

function fail(error: unknown, step: OrderStep | 'wallet'): void {
  const problem = problemOf(error)
  $state.set({ phase: 'failed', problem, isOpen: !isDecided(problem), step })
  logOnly('purchase')(error)
}

async function finish(documentIds: number[], result: PurchaseResult): Promise<void> {
  const excluded = announcePurchase(result)
  $state.set({ phase: 'done', excluded, isSettled: false })
  await settlePurchase(documentIds)
  $state.set({ phase: 'done', excluded, isSettled: true })
}

/**
 * Looks after a purchase whose answer never came (the page was closed, the line broke): when its
 * documents are all owned by now it went through, and the cart is cleared of them.
 */
export async function settleOpenIntent(): Promise<void> {
  const userId = $session.get()?.userId
  if (userId === undefined) return
  for (const intent of openIntents('purchase', userId) as Intent<WalletBody>[]) {
    const documents = await readPurchased().catch(logOnly('purchase'))
    const owned = new Set(documents?.map(({ documentId }) => documentId))
    const { documentIds } = intent.body
    if (!documentIds.every((id) => owned.has(id))) continue
    if ($state.get().phase !== 'choosing') return
    endIntent(intent)
    await finish(documentIds, { status: 'SUCCESS', excludedDocuments: [] })
  }
}
