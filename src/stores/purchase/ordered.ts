import { computed, readonlyType } from 'nanostores'
import type { Order } from '../../contract/orders.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { lacks } from '../shared/features.ts'
import { logOnly } from '../shared/problem.ts'
import { $orderedDocuments } from '../user-data/user-data.ts'

const NONE: Readonly<Record<string, number>> = {}

/** The order in which each document waits for its payment, as last returned by the server. */
export const $ordered = readonlyType(
  computed(
    $orderedDocuments,
    (ordered) => new Map(Object.entries(ordered ?? NONE).map(([id, order]) => [Number(id), order])),
  ),
)

/** Whether an order can still be paid; while it can, its documents cannot be ordered again. */
export function awaitsPayment({ status, payment }: Order): boolean {
  return status === 'pending' && payment?.state === 'pending' && payment.paymentUrl !== null
}

/** Loads the user's orders, newest first, and remembers those that wait. */
export async function readOrders(userId: number): Promise<Order[]> {
  if (lacks('orders')) return []
  const orders = await ask(({ orders }) => orders.listOrders, { params: { userId } })
  if ($session.get()?.userId === userId) {
    const pairs = orders
      .filter(awaitsPayment)
      .flatMap(({ id, items }) => items.map(({ documentId }) => [documentId, id]))
    $orderedDocuments.set(Object.fromEntries(pairs))
  }
  return orders
}

export async function loadOrdered(): Promise<void> {
  const userId = $session.get()?.userId
  if (userId !== undefined) await readOrders(userId).catch(logOnly('orders'))
}

/**
 * Like `loadOrdered`, but only if nothing is known yet, or an order waits whose payment may have
 * arrived.
 */
export async function loadOrderedOnce(): Promise<void> {
  const known = $orderedDocuments.get()
  if (known === null || Object.keys(known).length > 0) await loadOrdered()
}

/** Called when the browser leaves to pay an order. */
export function rememberOrdered(orderId: number, documentIds: readonly number[]): void {
  if (lacks('orders')) return
  const added = Object.fromEntries(documentIds.map((id) => [id, orderId]))
  $orderedDocuments.set({ ...$orderedDocuments.get(), ...added })
}
