import { atom, readonlyType } from 'nanostores'
import type { Payment } from '../../contract/orders.ts'
import { MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'
import { UNKNOWN_PAYMENT } from '../../rules/typed-numbers.ts'
import { syncCart } from '../cart/server-cart.ts'
import { refreshLibrary } from '../library/library.ts'
import { loadOwned } from '../library/owned.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { logOnly, problemOf } from '../shared/problem.ts'
import { loadBalance } from '../wallet/wallet.ts'
import { loadOrdered } from './ordered.ts'

/** How often the payment is polled while the page says "we are checking your payment". */
export const PAYMENT_REFRESH_MS = 3 * SECOND_MS

export type { Payment } from '../../contract/orders.ts'

/** What the page to which the browser returns shows about the payment. */
export type PaymentNotice =
  | { kind: 'checking' }
  /** The page has stopped polling; the payment will be settled later. */
  | { kind: 'later' }
  | { kind: 'logged_out' }
  /** The URL has a reference that does not exist. */
  | { kind: 'unknown' }
  | { kind: 'known'; payment: Payment }

const $shown = atom<PaymentNotice | null>(null)
export const $paymentNotice = readonlyType($shown)

/** How long a page polls. */
const PATIENCE_MS = 5 * MINUTE_MS

let watched: { reference: string; timer?: ReturnType<typeof setTimeout> } | null = null

/**
 * Polls a payment until it is decided, shows its state, and calls `done` once it cannot change any
 * more. A payment of another user is not shown.
 */
export async function watchPayment(reference: string, done: () => void): Promise<void> {
  forgetPayment()
  const watch: NonNullable<typeof watched> = { reference }
  watched = watch
  if (reference === UNKNOWN_PAYMENT) {
    $shown.set({ kind: 'unknown' })
    return done()
  }
  if (!$session.get()) return $shown.set({ kind: 'logged_out' })
  const startedAt = Date.now()
  const look = async () => {
    const payment = await readPayment(reference)
    if (watched !== watch) return
    if (!$session.get()) return $shown.set({ kind: 'logged_out' })
    if (payment === 'unknown') {
      forgetPayment()
      return done()
    }
    if (payment && (payment.state !== 'pending' || payment.method !== 'card')) {
      $shown.set({ kind: 'known', payment })
      done()
      if (payment.state === 'paid') bringUpToDate()
      else void loadOrdered()
      return
    }
    if (Date.now() - startedAt > PATIENCE_MS) return $shown.set({ kind: 'later' })
    if (!$shown.get()) $shown.set({ kind: 'checking' })
    watch.timer = setTimeout(look, PAYMENT_REFRESH_MS)
  }
  await look()
}

export function forgetPayment(): void {
  clearTimeout(watched?.timer)
  watched = null
  $shown.set(null)
}

/** `unknown`: the payment does not exist or is another user's; null if there was no answer. */
async function readPayment(paymentRef: string): Promise<Payment | 'unknown' | null> {
  try {
    return await ask(({ orders }) => orders.getPayment, { query: { paymentRef } })
  } catch (error) {
    logOnly('payment')(error)
    const { code } = problemOf(error)
    return code === 'payment_not_found' || code === 'invalid_input' ? 'unknown' : null
  }
}

/** Updates everything on the page that a payment changes. */
export function bringUpToDate(): void {
  void loadBalance()
  void loadOwned()
  void loadOrdered()
  void syncCart()
  void refreshLibrary()
}
