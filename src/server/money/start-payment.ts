import type { StartedPayment } from '../../contract/wallet.ts'
import { MOST_OPEN_TRANSFERS, ORDER_LIFETIME_MS } from '../../rules/payment-methods.ts'
import { transfersTo } from '../../rules/site-facts.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { GatewayError, type PaymentRequest, requireGateway } from '../gateways/gateways.ts'
import { fault } from '../http/errors.ts'
import { readBrand, readFacts } from '../site-texts/site-texts.ts'
import { lockWallet } from './ledger.ts'
import { mailWaiting } from './mails/enqueue-mails.ts'
import {
  insertPayment,
  type NewPayment,
  newestOf,
  type Payment,
  presentPayment,
} from './payments.ts'
import { lockPayable } from './waiting-orders.ts'

/**
 * Starts a payment, or returns the one already running for the same intent; simultaneous calls in
 * this process share it. Its row is committed before the request to the gateway, which runs outside
 * any transaction. Throws `order_closed` and `nothing_to_pay` for an order that is not to be paid,
 * `too_many_open_payments` with those that are open, `no_account` where the shop has not said where
 * to send the money, and `gateway_unavailable` without an answer: it is then unknown whether the
 * gateway has the payment, and a retry opens another one; if both are paid, both are booked (see
 * `credit`).
 */
export function startPayment(deps: Deps, wanted: NewPayment): Promise<StartedPayment> {
  const intent = `${wanted.userId} ${wanted.intent}`
  // A second request waits for the first: until the gateway has answered, there is no result to return.
  return deps.payments.starts(intent, () => start(deps, wanted))
}

async function start(deps: Deps, wanted: NewPayment): Promise<StartedPayment> {
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
async function begin(tx: Tx, deps: Deps, wanted: NewPayment) {
  await lockWallet(tx, wanted.userId)
  if (wanted.orderId !== null) {
    const state = await lockPayable(tx, wanted.orderId)
    if (state !== 'payable') return state
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
  await mailWaiting(tx, deps.jobs, payment)
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
