import { setTimeout as wait } from 'node:timers/promises'
import {
  getPayment,
  initiatePayment,
  paymentCancel,
  paymentSuccess,
  paymentWebhook,
} from '../../contract/orders.ts'
import { pathIn } from '../../i18n/paths.ts'
import { DEFAULT_RETURN_TO, SECOND_MS } from '../../rules/limits.ts'
import { isOffered } from '../../rules/payment-methods.ts'
import { safeReturnTo } from '../../rules/return-to.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { type Route, type RouteContext, route } from '../http/route.ts'
import { ordersOf } from '../orders/orders.ts'
import { GatewayError, requireGateway } from './gateway.ts'
import { findPayment, type Payment, presentPayment } from './payments.ts'
import { settle } from './settle.ts'
import { startPayment } from './start.ts'

/** Payments at a gateway or by hand: starting them, coming back from them, their state. */
export const paymentRoutes: Route[] = [
  route(initiatePayment, async ({ input: { params, query }, user, deps }) => {
    const { method = 'card' } = query
    if (method === 'card') requireGateway(deps)
    if (params.provider !== (deps.gateway?.provider ?? 'none')) throw fault('not_found')
    const [order] = await ordersOf(deps.database.kysely, user.id, query.orderId)
    if (!order) throw fault('order_not_found')
    if (order.status !== 'pending') throw fault('order_closed')
    if (!isOffered(method, order.total)) throw fault('method_not_offered')
    return startPayment(deps, {
      method,
      userId: user.id,
      orderId: order.id,
      amount: order.total,
      intent: `order ${order.id} ${method}`,
      returnTo: safeReturnTo(query.returnTo, '/my-documents'),
      locale: query.locale ?? 'ar',
    })
  }),
  route(paymentSuccess, (context) => goBack(context)),
  route(paymentCancel, (context) => goBack(context)),
  route(paymentWebhook, async ({ input, deps, limits }) => {
    const reference = referenceOf(input.query)
    if (reference) await soon(learn(deps, reference, limits))
  }),
  route(getPayment, async ({ input, user, deps, limits }) => {
    const { paymentRef } = input.query
    const payment = await findPayment(deps.database.kysely, paymentRef)
    if (payment?.user_id !== user.id) throw fault('payment_not_found')
    if (payment.status !== 'pending' || !limits.mayAskGateway(payment.reference)) {
      return presentPayment(payment)
    }
    return presentPayment((await soon(settleCalmly(deps, paymentRef))) ?? payment)
  }),
]

type Reference = { paymentRef?: string | undefined; payment_ref?: string | undefined }

// Ours where both are there: gateways add theirs to the address that we gave them.
function referenceOf({ paymentRef, payment_ref }: Reference): string | undefined {
  return paymentRef ?? payment_ref
}

/**
 * The browser comes back: the gateway is asked, and whatever it says, the browser goes on to a page
 * that tells the payment's state. Being here grants nothing.
 */
async function goBack({
  input,
  deps,
  limits,
  reply,
}: Pick<RouteContext<typeof paymentSuccess>, 'input' | 'deps' | 'limits' | 'reply'>) {
  const reference = referenceOf(input.query)
  const payment = reference
    ? ((await soon(learn(deps, reference, limits))) ??
      (await findPayment(deps.database.kysely, reference)))
    : null
  return reply.redirect(payment ? landingOf(payment) : '/my-documents', 302)
}

/** The page of the site that the payer goes on to, with the payment that it shall tell of. */
export function landingOf({ purpose, return_to, locale, reference }: Payment): string {
  const fallback = pathIn(locale, purpose === 'order' ? '/my-documents' : DEFAULT_RETURN_TO)
  const path = purpose === 'order' ? fallback : safeReturnTo(return_to, fallback)
  const url = new URL(path, 'https://this.invalid')
  url.searchParams.set('payment', reference)
  return url.pathname + url.search + url.hash
}

/** Settles; a reference that we do not know costs a look at the gateway, and few of those are made. */
async function learn(
  deps: Deps,
  reference: string,
  limits: RouteContext<typeof paymentSuccess>['limits'],
): Promise<Payment | null> {
  const isKnown = await findPayment(deps.database.kysely, reference)
  if (!isKnown && !limits.mayLookUpReference()) return null
  return settleCalmly(deps, reference)
}

/** Where the gateway cannot be asked now, the poller asks later. */
async function settleCalmly(deps: Deps, reference: string): Promise<Payment | null> {
  try {
    return await settle(deps, reference)
  } catch (error) {
    if (error instanceof GatewayError) return null
    throw error
  }
}

/** What a browser waits for at most, in milliseconds; the work goes on without it. */
const PATIENCE_MS = 3 * SECOND_MS

async function soon<T>(work: Promise<T>): Promise<T | null> {
  const enough = new AbortController()
  // Whoever no longer waits must not bring the process down.
  work.catch(() => {})
  const result = await Promise.race([
    work,
    wait(PATIENCE_MS, null, { signal: enough.signal, ref: false }).catch(() => null),
  ])
  enough.abort()
  return result
}
