import { atom, computed, readonlyType } from 'nanostores'
import type { PurchaseResult } from '../contract/wallet.ts'
import { cartTotal, pricedItem } from '../rules/cart.ts'
import { canPay } from '../rules/payment-methods.ts'
import { ask } from './backend.ts'
import { $cart, clearPaid } from './cart.ts'
import { leaveNotice } from './notices.ts'
import { $owned, loadOwned, readPurchased } from './owned.ts'
import { isDecided, logOnly, type Problem, problemOf } from './problem.ts'
import { randomId } from './random-id.ts'
import { $session } from './session.ts'
import { $intent, type PurchaseIntent } from './user-data.ts'
import { $balance, loadBalance } from './wallet.ts'

/** The methods of the checkout; direct payments come with the gateway. */
export const METHODS = ['wallet'] as const
export type Method = (typeof METHODS)[number]

/** Where the purchase of the cart is. */
export type Purchase =
  | { phase: 'choosing' }
  | { phase: 'confirming' }
  | { phase: 'paying' }
  /** `isOpen`: no answer came; paying again repeats the same purchase and never charges twice. */
  | { phase: 'failed'; problem: Problem; isOpen: boolean }
  /** `excluded`: titles that were owned before; `isSettled`: cart, balance and list are up to date. */
  | { phase: 'done'; excluded: readonly string[]; isSettled: boolean }

const $state = atom<Purchase>({ phase: 'choosing' })
export const $purchase = readonlyType($state)

const $chosen = atom<Method | null>(null)
export const $method = readonlyType($chosen)

export function chooseMethod(method: Method): void {
  $chosen.set(method)
}

/** What the cart will cost, in millimes: documents that are owned already are not charged. */
export const $total = computed([$cart, $owned], (cart, owned) =>
  cartTotal({ items: cart.items.filter(({ documentId }) => !owned.has(documentId)) }),
)

/** What the discounts take off, in millimes. */
export const $savings = computed([$cart, $owned, $total], (cart, owned, total) =>
  cart.items
    .filter(({ documentId }) => !owned.has(documentId))
    .reduce((left, item) => left + pricedItem(item).price, -total),
)

/** Whether the pay button works (section 2); an unknown balance counts as none. */
export const $canPay = computed(
  [$method, $balance, $total, $cart, $state],
  (method, balance, total, cart, { phase }) =>
    cart.items.length > 0 &&
    canPay({ method, balance: balance ?? 0, total, loading: phase === 'paying' }) &&
    phase !== 'done',
)

/** Opens the confirmation. */
export function startPurchase(): void {
  if ($canPay.get()) $state.set({ phase: 'confirming' })
}

/** Goes back from the confirmation; a purchase on its way is not called back. */
export function cancelPurchase(): void {
  if ($state.get().phase === 'confirming') $state.set({ phase: 'choosing' })
}

/**
 * The one key of an intent: the same user and documents keep it over retries and reloads until the
 * server has answered, so that a lost answer cannot become a second charge.
 */
function intentFor(userId: number, documentIds: number[]): PurchaseIntent {
  const saved = $intent.get()
  const isSame = saved?.userId === userId && saved.documentIds.join() === documentIds.join()
  if (saved && isSame) return saved
  const intent = { key: randomId(), userId, documentIds }
  $intent.set(intent)
  return intent
}

/** Pays the cart from the wallet; the confirmed purchase of section 4. */
export async function confirmPurchase(): Promise<void> {
  const userId = $session.get()?.userId
  if ($state.get().phase !== 'confirming' || userId === undefined) return
  const ids = $cart.get().items.map(({ documentId }) => documentId)
  const intent = intentFor(
    userId,
    ids.sort((a, b) => a - b),
  )
  $state.set({ phase: 'paying' })
  try {
    const body = { userId, documentIds: intent.documentIds }
    const options = { idempotencyKey: intent.key }
    const result = await ask(({ wallet }) => wallet.createAndPay, { body }, options)
    await finish(intent, result)
  } catch (error) {
    const problem = problemOf(error)
    const isOpen = !isDecided(problem)
    if (!isOpen) $intent.set(null)
    $state.set({ phase: 'failed', problem, isOpen })
    logOnly('purchase')(error)
    void loadBalance()
  }
}

/** How long the way to my documents waits for what the header shows there (ms). */
const SETTLE_MS = 4000

async function finish(intent: PurchaseIntent, result: PurchaseResult): Promise<void> {
  const titles = result.excludedDocuments.map(({ title }) => title)
  const isWhole = result.status === 'SUCCESS'
  const excluded = isWhole ? [] : titles
  $intent.set(null)
  leaveNotice(isWhole ? { kind: 'purchased' } : { kind: 'partly_purchased', titles })
  $state.set({ phase: 'done', excluded, isSettled: false })
  const following = [clearPaid(intent.documentIds), loadBalance(), loadOwned()]
  await Promise.race([Promise.allSettled(following), after(SETTLE_MS)])
  $state.set({ phase: 'done', excluded, isSettled: true })
}

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Looks after a purchase whose answer never came (the page was closed, the line broke): when its
 * documents are all owned by now it went through, and the cart is cleared of them.
 */
export async function settleOpenIntent(): Promise<void> {
  const intent = $intent.get()
  if (!intent || intent.userId !== $session.get()?.userId) return
  const documents = await readPurchased().catch(logOnly('purchase'))
  const owned = new Set(documents?.map(({ documentId }) => documentId))
  if (!intent.documentIds.every((id) => owned.has(id))) return
  if ($intent.get() !== intent || $state.get().phase !== 'choosing') return
  await finish(intent, { status: 'SUCCESS', excludedDocuments: [] })
}
