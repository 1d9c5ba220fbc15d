import type { FastifyInstance, FastifyReply } from 'fastify'
import { is, type Struct, validate } from 'superstruct'
import {
  getPayment,
  getSandboxPayment,
  getTransfer,
  initiatePayment,
  paymentCancel,
  paymentSuccess,
  paymentWebhook,
} from '../../contract/orders.ts'
import { paymentReference } from '../../contract/values.ts'
import type { StartedPayment } from '../../contract/wallet.ts'
import { DEFAULT_LOCALE, type Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { isOffered } from '../../rules/payment-methods.ts'
import { DEFAULT_RETURN_TO, safeReturnTo } from '../../rules/return-to.ts'
import { UNKNOWN_PAYMENT } from '../../rules/typed-numbers.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import {
  chooseInSandbox,
  findSandboxPayment,
  requireGateway,
  SANDBOX_DELAY_MS,
  type SandboxChoice,
} from '../gateways/gateways.ts'
import { fault } from '../http/errors.ts'
import { carryOut, once } from '../http/idempotency.ts'
import { type Route, type RouteContext, route } from '../http/route.ts'
import { checkPaymentSoon } from './gateway-checks.ts'
import { ordersOf } from './orders.ts'
import { findPayment, type Payment, presentPayment, transferPath } from './payments.ts'
import { settle } from './settle.ts'
import { startPayment } from './start-payment.ts'

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
    return carryOut(kysely, intent, () => {
      if (order.status === 'pending' && !isOffered(method, order.total)) {
        throw fault('method_not_offered')
      }
      return startPayment(deps, {
        method,
        userId: user.id,
        orderId: order.id,
        acceptedTerms: query.acceptedTerms,
        amount: order.total,
        intent: `order ${order.id} ${method}`,
        returnTo: safeReturnTo(query.returnTo, '/my-documents'),
        locale: query.locale ?? DEFAULT_LOCALE,
      })
    })
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
    const { email, phone } = await deps.database.kysely
      .selectFrom('users')
      .select(['email', 'phone'])
      .where('id', '=', payment.userId)
      .executeTakeFirstOrThrow()
    // As `mails.ts` chooses; without a carrier, texts are not sent.
    const told = email !== null ? 'email' : phone !== null && deps.sms ? 'sms' : 'account'
    return { ...presentPayment(payment), told } as const
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

/** The form's size limit; the form holds nothing but its button. */
const FORM_MAX_BYTES = 1024

type Addressed = { Params: { reference: string } }

/**
 * Registers the routes behind the site's payment pages: the target of the form on the sandbox's page, and
 * earlier addresses of these pages, which mails and gateways may still have. Browsers navigate to them, so
 * every answer redirects to a page, even after a failure. None of them is part of the contract.
 */
export async function paymentPages(server: FastifyInstance, deps: Deps): Promise<void> {
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_MAX_BYTES },
    (_, body, done) => done(null, new URLSearchParams(body as string)),
  )
  const transfer = '/api/payments/transfer/:reference'
  const sandbox = '/api/payments/sandbox/:reference'

  server.get<Addressed>(transfer, async ({ params }, reply) => {
    const reference = referenceOrUnknown(params.reference)
    const payment = await findPayment(deps.database.kysely, reference)
    return reply.redirect(transferPath(payment?.locale ?? DEFAULT_LOCALE, reference), 301)
  })

  if (deps.gateway?.provider !== 'sandbox') return
  const timers = new Set<NodeJS.Timeout>()
  server.addHook('onClose', () => {
    for (const timer of timers) clearTimeout(timer)
  })

  server.get<Addressed>(sandbox, async ({ params }, reply) => {
    const reference = referenceOrUnknown(params.reference)
    const payment = await findSandboxPayment(deps.database, reference)
    return reply.redirect(sandboxPath(payment?.locale ?? DEFAULT_LOCALE, reference), 301)
  })

  server.post<Addressed>(
    sandbox,
    {
      errorHandler: (error, { params, log }, reply) => {
        log.warn({ cause: error.message }, 'sandbox')
        return seeOther(reply, sandboxPath(DEFAULT_LOCALE, referenceOrUnknown(params.reference)))
      },
    },
    async ({ params, body }, reply) => {
      const reference = referenceOrUnknown(params.reference)
      const payment = await findSandboxPayment(deps.database, reference)
      const choice = body instanceof URLSearchParams ? body.get('choice') : null
      if (!payment || !isChoice(choice)) {
        return seeOther(reply, sandboxPath(payment?.locale ?? DEFAULT_LOCALE, reference))
      }
      await chooseInSandbox(deps.database, reference, choice, deps.now())
      // Takes the place of a delayed webhook; after a restart the poller finds the due payment.
      if (choice === 'later') {
        const timer = setTimeout(() => {
          timers.delete(timer)
          settle(deps, payment.orderReference).catch((error: unknown) => deps.report(String(error)))
        }, SANDBOX_DELAY_MS)
        timer.unref()
        timers.add(timer)
      }
      const url = new URL(choice === 'refuse' ? payment.failUrl : payment.successUrl)
      return seeOther(reply, url.pathname + url.search)
    },
  )
}

function isChoice(value: string | null): value is SandboxChoice {
  return value === 'pay' || value === 'refuse' || value === 'later'
}

/** Replaces a malformed reference by one that leads to the page for unknown payments. */
function referenceOrUnknown(reference: string): string {
  return is(reference, paymentReference()) ? reference : UNKNOWN_PAYMENT
}

const sandboxPath = (locale: Locale, reference: string) =>
  pathIn(locale, `/payment/sandbox/${reference}`)

const seeOther = (reply: FastifyReply, path: string) => reply.redirect(path, 303)
