import type { Input } from '../../contract/call.ts'
import { PROVIDERS } from '../../contract/orders.ts'
import type { directPay, initiateRecharge, StartedPayment } from '../../contract/wallet.ts'
import { DEFAULT_LOCALE } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { inDinars } from '../../rules/money.ts'
import {
  canPayDirectly,
  MAX_TOP_UP,
  MIN_TOP_UP,
  MOST_OPEN_TRANSFERS,
  ORDER_LIFETIME_MS,
} from '../../rules/payment-methods.ts'
import { DEFAULT_RETURN_TO, safeReturnTo } from '../../rules/return-to.ts'
import { transfersTo } from '../../rules/site-facts.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { GatewayError, type PaymentRequest, requireGateway } from '../gateways/gateways.ts'
import { fault } from '../http/errors.ts'
import { carryOut, once } from '../http/idempotency.ts'
import { enqueueMail } from '../mail/mail.ts'
import { type Consent, consentTo, readBrand, readFacts } from '../site-texts/site-texts.ts'
import { usedNow } from './codes/apply.ts'
import { lockOwnWallet } from './ledger.ts'
import { placeOrder } from './orders.ts'
import {
  insertPayment,
  type NewPayment,
  newestOf,
  type Payment,
  presentPayment,
} from './payments.ts'
import { lockPayable } from './waiting-orders.ts'

/** A payment to start; for an order, with the terms that its buyer accepts. */
type WantedPayment = NewPayment & Pick<Consent, 'acceptedTerms'>

/**
 * Starts a payment, or returns the one already running for the same intent; simultaneous calls in
 * this process share it. Its row is committed before the request to the gateway, which runs outside
 * any transaction. Throws `order_closed` and `nothing_to_pay` for an order that is not to be paid,
 * `terms_not_accepted` for one whose buyer has not accepted the terms in force,
 * `too_many_open_payments` with those that are open, `no_account` where the shop has not said where
 * to send the money, and `gateway_unavailable` without an answer: it is then unknown whether the
 * gateway has the payment, and a retry opens another one; if both are paid, both are booked (see
 * `credit`).
 */
export function startPayment(deps: Deps, wanted: WantedPayment): Promise<StartedPayment> {
  const intent = `${wanted.userId} ${wanted.intent}`
  // A second request waits for the first: until the gateway has answered, there is no result to return.
  return deps.payments.starts(intent, () => start(deps, wanted))
}

async function start(deps: Deps, wanted: WantedPayment): Promise<StartedPayment> {
  const { method } = wanted
  if (method !== 'card' && !transfersTo(await readFacts(deps)).includes(method)) {
    throw fault('no_account')
  }
  const begun = await transaction(deps.database, (tx) => begin(tx, deps, wanted))
  if (begun === 'closed') throw fault('order_closed')
  if (begun === 'nothing_to_pay') throw fault('nothing_to_pay')
  const { payment, isNew } = begun
  const isOpen = !isNew || payment.provider === 'manual'
  const { payUrl, reference } = isOpen ? payment : await open(deps, payment)
  return { paymentUrl: payUrl ?? '', paymentRef: reference }
}

/** Finds the running payment or records a new one; otherwise throws the reason why the order cannot be paid. */
async function begin(tx: Tx, deps: Deps, { acceptedTerms, ...wanted }: WantedPayment) {
  await lockOwnWallet(tx, wanted.userId)
  if (wanted.orderId !== null) {
    const state = await lockPayable(tx, wanted.orderId)
    if (state !== 'payable') return state
    // The terms may have become binding since the order was placed.
    await consentTo(tx, { acceptedTerms, userId: wanted.userId, at: new Date(deps.now()) })
  }
  const running = await newestOf(tx, wanted.userId, wanted.intent)
  if (running && isUsable(running, wanted, deps.now())) {
    // The payer returns to where they are now, not to where an earlier attempt began.
    await tx
      .updateTable('payments')
      .set({ returnTo: wanted.returnTo })
      .where('id', '=', running.id)
      .where('returnTo', '!=', wanted.returnTo)
      .execute()
    return { payment: running, isNew: false }
  }
  if (wanted.method !== 'card') await requireRoom(tx, wanted.userId, deps.now())
  const payment = await insertPayment(tx, deps, wanted)
  const { provider, userId, reference } = payment
  if (provider === 'manual')
    await enqueueMail(tx, deps.jobs, 'payment_waiting', { userId, reference })
  return { payment, isNew: true }
}

/** Limits the open transfers of a user, since staff look for the money of each: throws `too_many_open_payments`. */
async function requireRoom(tx: Tx, userId: number, now: number): Promise<void> {
  const open = await tx
    .selectFrom('payments')
    .selectAll()
    .where('userId', '=', userId)
    .where('provider', '=', 'manual')
    .where('status', '=', 'pending')
    .where('expiresAt', '>', new Date(now))
    .orderBy('id')
    .execute()
  if (open.length < MOST_OPEN_TRANSFERS) return
  throw fault('too_many_open_payments', { payments: open.map(presentPayment) })
}

// A settled or refused top-up is still the result of its intent; an order gets a new payment after a refusal.
function isUsable(payment: Payment, { orderId }: NewPayment, now: number): boolean {
  if (payment.payUrl === null) return false
  if (orderId === null) return true
  return payment.status === 'pending' && payment.expiresAt.getTime() > now
}

async function open(deps: Deps, payment: Payment): Promise<Payment> {
  const request = await requestOf(deps, payment)
  const { payUrl, gatewayReference } = await requireGateway(deps)
    .open(request)
    .catch((error: unknown) => {
      if (!(error instanceof GatewayError)) throw error
      deps.report(`Payment ${payment.reference} could not be started: ${error.message}`)
      throw fault('gateway_unavailable')
    })
  const opened = await deps.database.kysely
    .updateTable('payments')
    .set({ payUrl, gatewayReference })
    .where('id', '=', payment.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  // The payment was cancelled during the request, so the payer is not sent to the gateway.
  if (opened.status === 'cancelled') throw fault('order_closed')
  return opened
}

async function requestOf({ database, config }: Deps, payment: Payment): Promise<PaymentRequest> {
  const payer = await database.kysely
    .selectFrom('users')
    .select(['firstName', 'lastName', 'email', 'phone'])
    .where('id', '=', payment.userId)
    .executeTakeFirstOrThrow()
  const back = (page: string) =>
    `${config.siteUrl}/api/orderss/payment/${page}?paymentRef=${payment.reference}`
  const { locale, orderId } = payment
  const { name } = await readBrand(database.kysely)
  return {
    reference: payment.reference,
    amount: payment.amount,
    description: `${name[locale]} · ${orderId === null ? 'wallet' : `no. ${orderId}`}`,
    payer,
    locale,
    successUrl: back('success'),
    failUrl: back('cancel'),
    webhookUrl: `${config.siteUrl}/api/orderss/payment/webhook`,
    lifetime: ORDER_LIFETIME_MS,
  }
}

/**
 * Orders documents and starts their payment at the gateway, as one intent: a retry resumes it. Throws
 * `price_changed` if the buyer was shown another sum, `method_not_offered` below the least direct payment,
 * `no_gateway` where the shop takes no cards.
 */
export async function payDirectly(
  deps: Deps,
  { body, key }: Input<typeof directPay> & { key: string },
) {
  requireGateway(deps)
  const { userId: buyerId, documentIds, amount: total, link } = body
  // In dinars, as on the wire: the stored hashes of earlier requests were made from dinars.
  const code = usedNow(deps, body)
  const request = ['direct-pay', documentIds, inDinars(body.amount), ...(code ? [code.text] : [])]
  const order = await transaction(deps.database, (tx) =>
    once(tx, { userId: buyerId, key, request }, async () => {
      const notice = await consentTo(tx, { ...body, at: new Date(deps.now()) })
      const placed = await placeOrder(tx, { buyerId, documentIds, code, total, notice, link })
      if (!canPayDirectly(placed.total)) throw fault('method_not_offered')
      return { id: placed.id, total: placed.total }
    }),
  )
  const { status } = await deps.database.kysely
    .selectFrom('orders')
    .select('status')
    .where('id', '=', order.id)
    .executeTakeFirstOrThrow()
  // A retry after the payment must not request the money twice.
  if (status === 'paid') return { status: 'SUCCESS' as const, orderId: order.id }
  const started = await startPayment(deps, {
    method: 'card',
    userId: buyerId,
    orderId: order.id,
    acceptedTerms: body.acceptedTerms,
    amount: order.total,
    intent: `order ${order.id} card`,
    returnTo: safeReturnTo(body.returnTo, '/my-documents'),
    locale: body.locale ?? DEFAULT_LOCALE,
  })
  return { status: 'PENDING' as const, orderId: order.id, ...started }
}

/**
 * Starts a top-up of `MIN_TOP_UP` to `MAX_TOP_UP`, once for each key. Throws `invalid_input` for another
 * amount or method.
 */
export async function topUp(
  deps: Deps,
  { body, key }: Input<typeof initiateRecharge> & { key: string },
): Promise<StartedPayment> {
  const { amount } = body
  if (amount < MIN_TOP_UP) throw fault('invalid_input', { fields: { amount: 'min' } })
  if (amount > MAX_TOP_UP) throw fault('invalid_input', { fields: { amount: 'max' } })
  const method = methodOf(deps, body.paymentMethod)
  const { userId, locale } = { ...body, locale: body.locale ?? DEFAULT_LOCALE }
  const intent = { userId, key, request: ['top-up', amount, method] }
  await transaction(deps.database, (tx) => once(tx, intent, async () => null))
  return carryOut(deps.database.kysely, intent, () =>
    startPayment(deps, {
      method,
      userId,
      orderId: null,
      amount,
      intent: `top-up ${key}`,
      returnTo: safeReturnTo(body.returnTo, pathIn(locale, DEFAULT_RETURN_TO)),
      locale,
    }),
  )
}

/**
 * Reads a method: the provider's name in any case, or D17. Throws `no_gateway` for a gateway where the shop
 * has none.
 */
function methodOf(deps: Deps, given: string | null | undefined): 'card' | 'd17' {
  const name = given?.toLowerCase()
  if (name === 'd17') return 'd17'
  if (name === undefined || PROVIDERS.some((provider) => provider === name)) {
    const { provider } = requireGateway(deps)
    if (name === undefined || name === provider) return 'card'
  }
  throw fault('invalid_input', { fields: { paymentMethod: 'invalid' } })
}
