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
import { DEFAULT_LOCALE } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { isOffered } from '../../rules/payment-methods.ts'
import { DEFAULT_RETURN_TO, safeReturnTo } from '../../rules/return-to.ts'
import { UNKNOWN_PAYMENT } from '../../rules/typed-numbers.ts'
import { transaction } from '../database/transaction.ts'
import { findSandboxPayment, requireGateway } from '../gateways/gateways.ts'
import { fault } from '../http/errors.ts'
import { keepResult, once } from '../http/idempotency.ts'
import { type Route, type RouteContext, route } from '../http/route.ts'
import { checkPaymentSoon } from './gateway-checks.ts'
import { ordersOf } from './orders.ts'
import { findPayment, type Payment, presentPayment } from './payments.ts'
import { startPayment } from './start-payment.ts'

/** The calls that start a payment at a gateway or by transfer, receive its returning payer, and read its state. */
export const paymentRoutes: Route[] = [
  route(initiatePayment, async ({ input: { params, query }, user, key, deps }) => {
    const { method = 'card' } = query
    if (method === 'card') requireGateway(deps)
    if (params.provider !== (deps.gateway?.provider ?? 'none')) throw fault('not_found')
    const { kysely } = deps.database
    const [order] = await ordersOf(kysely, user.id, query.orderId)
    if (!order) throw fault('order_not_found')
    const intent = { userId: user.id, key, request: [initiatePayment.path, params, query] }
    const stored = await transaction(deps.database, (tx) =>
      once<StartedPayment | null>(tx, intent, async () => null),
    )
    if (stored) return stored
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
      locale: query.locale ?? DEFAULT_LOCALE,
    })
    await keepResult(kysely, intent, started)
    return started
  }),
  route(paymentSuccess, (context) => landPayer(context), landingWithout),
  route(paymentCancel, (context) => landPayer(context), landingWithout),
  route(paymentWebhook, async ({ input, deps, limits }) => {
    const reference = referenceOf(input.query)
    if (reference) await checkPaymentSoon(deps, reference, limits.mayLookUpReference)
  }),
  route(getPayment, async ({ input, user, deps }) => {
    const { paymentRef } = input.query
    const payment = await findPayment(deps.database.kysely, paymentRef)
    if (payment?.userId !== user.id) throw fault('payment_not_found')
    if (payment.status !== 'pending') return presentPayment(payment)
    return presentPayment((await checkPaymentSoon(deps, paymentRef)) ?? payment)
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

// Our reference where both are given: gateways add theirs to our return address.
function referenceOf({ paymentRef, payment_ref }: Reference): string | undefined {
  return paymentRef ?? payment_ref
}

/**
 * Checks the payment of a returning browser at the gateway and redirects to a page that shows the payment's
 * state, whatever the result. The visit itself grants nothing.
 */
async function landPayer({
  input,
  deps,
  limits,
  reply,
}: Pick<RouteContext<typeof paymentSuccess>, 'input' | 'deps' | 'limits' | 'reply'>) {
  const reference = referenceOf(input.query)
  const payment = reference
    ? ((await checkPaymentSoon(deps, reference, limits.mayLookUpReference)) ??
      (await findPayment(deps.database.kysely, reference)))
    : null
  return reply.redirect(payment ? landingOf(payment) : landingWithout({}), 302)
}

/** The path of the page that the payer returns to, with the payment whose state it shows. */
function landingOf({ purpose, returnTo, locale, reference }: Payment): string {
  const fallback = pathIn(locale, purpose === 'order' ? '/my-documents' : DEFAULT_RETURN_TO)
  return withPayment(purpose === 'order' ? fallback : safeReturnTo(returnTo, fallback), reference)
}

/** The path of that page for an unknown payment, from the query alone, which may hold anything. */
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
