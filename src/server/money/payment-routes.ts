import { type Struct, validate } from 'superstruct'
import {
  getPayment,
  getSandboxPayment,
  getTransfer,
  initiatePayment,
  paymentCancel,
  paymentSuccess,
  paymentWebhook,
} from '../../contract/orders.ts'
import type { StartedPayment } from '../../contract/wallet.ts'
import { pathIn } from '../../i18n/paths.ts'
import { isOffered } from '../../rules/payment-methods.ts'
import { UNKNOWN_PAYMENT } from '../../rules/payment-reference.ts'
import { DEFAULT_RETURN_TO, safeReturnTo } from '../../rules/return-to.ts'
import { transaction } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'
import { keepResult, once } from '../http/idempotency.ts'
import { type Route, type RouteContext, route } from '../http/route.ts'
import { requireGateway } from './gateways/gateway.ts'
import { findSandboxPayment } from './gateways/sandbox.ts'
import { askGatewaySoon } from './looks.ts'
import { ordersOf } from './orders.ts'
import { findPayment, type Payment, presentPayment } from './payments.ts'
import { startPayment } from './start-payment.ts'

/** Payments at a gateway or by hand: starting them, coming back from them, their state. */
export const paymentRoutes: Route[] = [
  route(initiatePayment, async ({ input: { params, query }, user, key, deps }) => {
    const { method = 'card' } = query
    if (method === 'card') requireGateway(deps)
    if (params.provider !== (deps.gateway?.provider ?? 'none')) throw fault('not_found')
    const { kysely } = deps.database
    const [order] = await ordersOf(kysely, user.id, query.orderId)
    if (!order) throw fault('order_not_found')
    const intent = { userId: user.id, key, request: [initiatePayment.path, params, query] }
    const before = await transaction(deps.database, (tx) =>
      once<StartedPayment | null>(tx, intent, async () => null),
    )
    if (before) return before
    if (order.status === 'pending' && !isOffered(method, order.total)) {
      throw fault('method_not_offered')
    }
    const started = await startPayment(deps, {
      method,
      userId: user.id,
      orderId: order.id,
      amount: order.total,
      intent: `order ${order.id} ${method}`,
      returnTo: safeReturnTo(query.returnTo, '/my-documents'),
      locale: query.locale ?? 'ar',
    })
    await keepResult(kysely, intent, started)
    return started
  }),
  route(paymentSuccess, (context) => goBack(context), landingWithout),
  route(paymentCancel, (context) => goBack(context), landingWithout),
  route(paymentWebhook, async ({ input, deps, limits }) => {
    const reference = referenceOf(input.query)
    if (reference) await askGatewaySoon(deps, reference, limits.mayLookUpReference)
  }),
  route(getPayment, async ({ input, user, deps }) => {
    const { paymentRef } = input.query
    const payment = await findPayment(deps.database.kysely, paymentRef)
    if (payment?.userId !== user.id) throw fault('payment_not_found')
    if (payment.status !== 'pending') return presentPayment(payment)
    return presentPayment((await askGatewaySoon(deps, paymentRef)) ?? payment)
  }),
  route(getTransfer, async ({ input, deps }) => {
    const payment = await findPayment(deps.database.kysely, input.query.paymentRef)
    if (payment?.provider !== 'manual') throw fault('payment_not_found')
    return presentPayment(payment)
  }),
  route(getSandboxPayment, async ({ input, deps }) => {
    const isSandbox = deps.gateway?.provider === 'sandbox'
    const payment = isSandbox && (await findSandboxPayment(deps.database, input.query.paymentRef))
    if (!payment) throw fault('payment_not_found')
    return {
      paymentRef: payment.reference,
      amount: payment.amount,
      state: payment.status,
      backTo: pathOf(payment.successUrl),
    }
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
    ? ((await askGatewaySoon(deps, reference, limits.mayLookUpReference)) ??
      (await findPayment(deps.database.kysely, reference)))
    : null
  return reply.redirect(payment ? landingOf(payment) : landingWithout({}), 302)
}

/** The page of the site that the payer goes on to, with the payment that it shall tell of. */
export function landingOf({ purpose, returnTo, locale, reference }: Payment): string {
  const fallback = pathIn(locale, purpose === 'order' ? '/my-documents' : DEFAULT_RETURN_TO)
  return withPayment(purpose === 'order' ? fallback : safeReturnTo(returnTo, fallback), reference)
}

/** The same where nothing is known of the payment but what the address says, which may be anything. */
function landingWithout(query: unknown): string {
  const [, read] = validate(query, paymentSuccess.query as Struct<Reference>)
  return withPayment('/my-documents', referenceOf(read ?? {}) ?? UNKNOWN_PAYMENT)
}

function withPayment(path: string, reference: string): string {
  const url = new URL(path, 'https://this.invalid')
  url.searchParams.set('payment', reference)
  return url.pathname + url.search + url.hash
}

const pathOf = (address: string) => {
  const { pathname, search } = new URL(address)
  return pathname + search
}
