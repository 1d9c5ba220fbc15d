import { atom, computed, readonlyType } from 'nanostores'
import type { Invoice, InvoiceBuyer } from '../../contract/invoices.ts'
import type { Order } from '../../contract/orders.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'
import { createLoader } from '../session/loader.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { saveFile } from '../shared/browser.ts'
import { logOnly, type Problem, problemOf } from '../shared/problem.ts'
import { serverNow } from '../shared/server-clock.ts'
import { $ordered, awaitsPayment, readOrders } from './ordered.ts'
import { bringUpToDate } from './payments.ts'

export type { Order } from '../../contract/orders.ts'

const $all = atom<readonly Order[]>([])

export const $waitingOrders = computed($all, (orders) => orders.filter(awaitsPayment))

/** How long a failed order is still shown. */
const SHOWN_MS = 7 * DAY_MS

/**
 * Orders that recently expired or were refused, unless the buyer cancelled them or ordered again.
 */
export const $failedOrders = computed([$all, $ordered], (orders, ordered) =>
  orders.filter(
    ({ status, createdAt, items, payment }) =>
      (status === 'expired' || (status === 'cancelled' && payment?.state !== 'cancelled')) &&
      serverNow() - Date.parse(createdAt) < SHOWN_MS &&
      items.some(({ documentId, isOwned }) => !isOwned && !ordered.has(documentId)),
  ),
)

/** The order with which a document was bought, by the id of the document. */
export const $receipts = computed($all, (orders) => {
  const receipts = new Map<number, number>()
  for (const { id, status, items } of orders) {
    if (status !== 'paid') continue
    for (const { documentId, refundedAt } of items) {
      if (refundedAt === null && !receipts.has(documentId)) receipts.set(documentId, id)
    }
  }
  return receipts
})

/** Loads the orders; a failure is only logged, and the shown ones stay. */
export async function loadOrders(): Promise<void> {
  const userId = $session.get()?.userId
  if (userId === undefined) return
  try {
    const orders = await readOrders(userId)
    if ($session.get()?.userId !== userId) return
    const waitedBefore = $waitingOrders.get()
    $all.set(orders)
    const isPaid = (id: number) =>
      orders.some((order) => order.id === id && order.status === 'paid')
    if (waitedBefore.some(({ id }) => isPaid(id))) bringUpToDate()
  } catch (error) {
    logOnly('orders')(error)
  }
}

const FIRST_LOOK_MS = 5 * SECOND_MS
const SLOWEST_MS = MINUTE_MS

/**
 * Polls whether a waiting order was paid, at growing intervals, while an order waits and the page
 * is visible. Returns the function that stops it.
 */
export function followOrders(): () => void {
  let pause = FIRST_LOOK_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  const again = () => {
    clearTimeout(timer)
    timer = setTimeout(look, pause)
    pause = Math.min(pause * 1.5, SLOWEST_MS)
  }
  const look = async () => {
    if (document.visibilityState === 'visible' && $waitingOrders.get().length > 0)
      await loadOrders()
    again()
  }
  const onVisible = () => {
    if (document.visibilityState !== 'visible') return
    pause = FIRST_LOOK_MS
    void look()
  }
  document.addEventListener('visibilitychange', onVisible)
  again()
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onVisible)
  }
}

const page = createLoader<Order>('order')

/** One order, for its own page. */
export const $orderPage = page.$state

export function loadOrder(id: number): Promise<void> {
  return page.load(() => ask(({ orders }) => orders.getOrder, { params: { id } }))
}

/** Makes out the invoice of an order that is shown. Throws an `ApiError`. */
export async function askForInvoice(id: number, body: InvoiceBuyer): Promise<void> {
  await ask(({ invoices }) => invoices.requestInvoice, { params: { id }, body })
  page.show(await ask(({ orders }) => orders.getOrder, { params: { id } }))
}

export async function downloadInvoice({ id, number }: Invoice): Promise<void> {
  const file = await ask(({ invoices }) => invoices.downloadInvoice, { params: { id } })
  saveFile(file as Blob, `${number}.pdf`)
}

const $ending = atom<'idle' | 'cancelling' | Problem>('idle')

/** The state of cancelling an order; a problem stays until the next try. */
export const $cancelling = readonlyType($ending)

/** Cancels a waiting order, and updates everything that shows it. */
export async function cancelOrder(id: number): Promise<void> {
  if ($ending.get() === 'cancelling') return
  $ending.set('cancelling')
  try {
    const order = await ask(({ orders }) => orders.cancelOrder, { params: { id } })
    const shown = $orderPage.get()
    if (shown.phase === 'ready' && shown.value.id === id) page.show(order)
    $ending.set('idle')
  } catch (error) {
    const problem = problemOf(error)
    $ending.set(problem)
    // It was paid in the meantime.
    if (problem.code === 'order_paid') bringUpToDate()
    if (problem.code === 'order_paid' && $orderPage.get().phase === 'ready') await loadOrder(id)
  }
  await loadOrders()
}
