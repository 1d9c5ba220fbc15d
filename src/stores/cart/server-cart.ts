import { computed } from 'nanostores'
import type { CartEntry } from '../../contract/carts.ts'
import * as rules from '../../rules/cart.ts'
import * as opened from '../../rules/opened-cart.ts'
import { coverNote } from '../../rules/pictures.ts'
import { createLoader } from '../session/loader.ts'
import { $session, onLogOut } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { logOnly, type Problem, problemOf } from '../shared/problem.ts'
import { createQueue } from '../shared/queue.ts'
import { $localCart } from '../user-data/kept-cart.ts'
import { $serverCart } from '../user-data/user-data.ts'
import { takeAnonymousCart } from './anonymous-cart.ts'

// The cart of a customer on the server; what the page shows is in `cart.ts`.

const sync = createLoader<void>('cart')

/** Whether the server's cart is loaded on this page; `idle` while logged out. */
export const $cartLoad = computed(sync.$state, ({ phase }) => phase)

let syncedFor: number | undefined
onLogOut(() => {
  syncedFor = undefined
  sync.forget()
})

// One call at a time, because answers in the wrong order would bring removed documents back.
const inTurn = createQueue()

/** The ids that the visitor has removed but the server has not. */
const leaving = new Set<number>()

function takeServerCart(userId: number, entries: readonly CartEntry[]): void {
  if ($session.get()?.userId !== userId) return
  const items = entries
    .filter(({ document }) => !leaving.has(document.id))
    .map(({ document }) =>
      rules.cleanItem({ ...document, ...coverNote(document), documentId: document.id }),
    )
  $serverCart.set({ items })
}

/** Reads the user's cart, again if another tab has changed it meanwhile: the answer may be older. */
async function readServerCart(userId: number): Promise<readonly CartEntry[]> {
  const known = $serverCart.get()
  const entries = await ask(({ carts }) => carts.getCart, { params: { userId } })
  return $serverCart.get() === known ? entries : readServerCart(userId)
}

type Bundled = Pick<rules.CartItem, 'documentId' | 'bundle'>

/** Copies one document into the user's cart; one that is no longer sold counts as copied. */
async function copyToServer(userId: number, item: Bundled): Promise<void> {
  const { documentId, bundle } = item
  try {
    const input = { query: { userId, documentId, ...(bundle && { bundleId: bundle.id }) } }
    const entries = await ask(({ carts }) => carts.addToCart, input)
    if (entries) takeServerCart(userId, entries)
  } catch (error) {
    if (!isGone(problemOf(error))) throw error
  }
}

/** Another backend's refusals have no code. */
const isGone = ({ status, code }: Problem): boolean =>
  code === 'document_not_found' || (status === 404 && code === 'unknown')

/** Copies the local cart; each item leaves it only once the server has acknowledged it. */
async function pushLocal(userId: number): Promise<void> {
  for (const item of $localCart.get().items) {
    const { documentId } = item
    try {
      await copyToServer(userId, item)
    } catch (error) {
      if (problemOf(error).code !== 'cart_full') throw error
      continue // it stays in the local cart, and is shown, until there is room
    }
    // A backend that does not answer with the cart has it all the same; the next reading shows how.
    if ($session.get()?.userId === userId) $serverCart.set(rules.addToCart($serverCart.get(), item))
    $localCart.set(opened.removeFromCart($localCart.get(), documentId))
  }
}

/**
 * The merge at log-in, which later pages finish if it failed: copies the local and the anonymous
 * cart into the user's cart and reloads that. Stops at the first failed call, which is logged;
 * items that the server has not acknowledged stay for the next time. Never rejects.
 */
export function syncCart(): Promise<void> {
  return inTurn(() =>
    sync.load(async (userId) => {
      syncedFor = userId
      await pushLocal(userId)
      await takeAnonymousCart((item) => copyToServer(userId, item))
      takeServerCart(userId, await readServerCart(userId))
    }),
  )
}

/**
 * The same, unless this page has done it for this user. Called where the cart is the purpose of a
 * page, and elsewhere at the first touch; it also finishes what an earlier page left undone.
 */
export async function syncCartOnce(): Promise<void> {
  const userId = $session.get()?.userId
  if (userId !== undefined && userId !== syncedFor) await syncCart()
}

/** Reads the user's cart again while the page shows the one it has. */
export function refreshCart(): Promise<void> {
  return inTurn(() =>
    sync.refresh(async (userId) => takeServerCart(userId, await readServerCart(userId))),
  )
}

/** Adds the items that only this browser has to the user's cart; a failure is only logged. */
export function sendLocalCart(): void {
  const userId = $session.get()?.userId
  if (userId !== undefined) inTurn(() => pushLocal(userId)).catch(logOnly('cart'))
}

/** Shows the current prices, which the server has just said, for the documents in the cart. */
export function takePrices(prices: Parameters<typeof opened.withPrices>[1]): void {
  for (const $kept of [$localCart, $serverCart]) {
    const repriced = opened.withPrices($kept.get(), prices)
    if (repriced !== $kept.get()) $kept.set(repriced)
  }
}

export function removeFromCart(documentId: number): void {
  dropItems([documentId])
  const userId = $session.get()?.userId
  if (userId === undefined) return
  leaving.add(documentId)
  inTurn(() => removeAtServer(userId, documentId)).catch(logOnly('cart'))
}

/**
 * Removes the documents that were just paid for; items that another tab added in the meantime stay.
 * Our server has removed them itself (contract: `createAndPay`); another backend is asked to.
 */
export function clearPaid(documentIds: readonly number[]): Promise<void> {
  dropItems(documentIds)
  return inTurn(async () => {
    const userId = $session.get()?.userId
    if (userId === undefined) return
    const entries = await ask(({ carts }) => carts.getCart, { params: { userId } })
    const left = entries.filter(({ document }) => documentIds.includes(document.id))
    for (const { document } of left) await removeAtServer(userId, document.id)
    if (left.length === 0) takeServerCart(userId, entries)
  }).catch(logOnly('cart'))
}

function dropItems(documentIds: readonly number[]): void {
  for (const $kept of [$localCart, $serverCart]) {
    const left = documentIds.reduce(opened.removeFromCart, $kept.get())
    if (left !== $kept.get()) $kept.set(left)
  }
}

async function removeAtServer(userId: number, documentId: number): Promise<void> {
  try {
    const input = { query: { userId, documentId } }
    const entries = await ask(({ carts }) => carts.removeFromCart, input)
    if (entries) takeServerCart(userId, entries)
  } finally {
    leaving.delete(documentId)
  }
}
