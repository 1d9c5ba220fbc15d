import { randomBytes } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import type { Payment as WirePayment } from '../../contract/orders.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { MINUTE_MS } from '../../rules/durations.ts'
import type { Millimes } from '../../rules/money.ts'
import { ORDER_LIFETIME_MS } from '../../rules/payment-methods.ts'
import type { PaymentsTable } from '../database/money-tables.ts'
import type { Schema } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { requireGateway } from '../gateways/gateways.ts'
import { PERSON_COLUMNS } from './find-people.ts'

/** How long after its start a payment is checked at the gateway if its payer did not return; then hourly. */
export const PAYMENT_CHECKS_MS: readonly number[] = [
  1 * MINUTE_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
]

/** A payment that is made outside the shop: at the gateway, at a bank or with D17. */
export type Payment = Selectable<PaymentsTable>

export interface NewPayment {
  readonly method: Payment['method']
  readonly userId: number
  /** null: a top-up. */
  readonly orderId: number | null
  readonly amount: Millimes
  readonly intent: string
  readonly returnTo: string
  readonly locale: Locale
}

/** The path of the page that tells the payer where to send the money of a transfer. */
export const transferPath = (locale: Locale, reference: string) =>
  pathIn(locale, `/payment/transfer/${reference}`)

/** Records a payment before the payer is sent anywhere; throws `no_gateway` for a card without one. */
export async function insertPayment(
  db: Kysely<Schema>,
  deps: Pick<Deps, 'gateway' | 'config' | 'now'>,
  payment: NewPayment,
): Promise<Payment> {
  const { config } = deps
  const reference = randomBytes(12).toString('hex')
  const isManual = payment.method !== 'card'
  const at = deps.now()
  return db
    .insertInto('payments')
    .values({
      ...payment,
      reference,
      provider: isManual ? 'manual' : requireGateway(deps).provider,
      purpose: payment.orderId === null ? 'top_up' : 'order',
      gatewayReference: null,
      payUrl: isManual ? config.siteUrl + transferPath(payment.locale, reference) : null,
      createdAt: new Date(at),
      expiresAt: new Date(at + ORDER_LIFETIME_MS),
      nextCheckAt: isManual ? null : new Date(at + (PAYMENT_CHECKS_MS[0] ?? 0)),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The payment with this reference, ours or its gateway's. */
export async function findPayment(
  db: Kysely<Schema>,
  reference: string,
): Promise<Payment | undefined> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where((row) =>
      row.or([row('reference', '=', reference), row('gatewayReference', '=', reference)]),
    )
    .orderBy('id')
    .executeTakeFirst()
}

/** The references of at most two payments that begin so; two: it is not clear which is meant. */
export async function referencesFrom(db: Kysely<Schema>, start: string): Promise<string[]> {
  const rows = await db
    .selectFrom('payments')
    .select('reference')
    .where('reference', 'like', `${start}%`)
    .limit(2)
    .execute()
  return rows.map(({ reference }) => reference)
}

/** Payments whose references begin so, with their payers. */
export function paymentsFrom(
  db: Kysely<Schema>,
  { start, limit }: { start: string; limit: number },
) {
  return db
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.userId')
    .select(['payments.reference', 'payments.provider', 'payments.status'])
    .select(['payments.amount', 'payments.orderId'])
    .select(PERSON_COLUMNS)
    .where('payments.reference', 'like', `${start}%`)
    .orderBy('payments.reference')
    .limit(limit)
    .execute()
}

/** The newest payment that was started for an intent. */
export async function newestOf(
  db: Kysely<Schema>,
  userId: number,
  intent: string,
): Promise<Payment | undefined> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('userId', '=', userId)
    .where('intent', '=', intent)
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

/** A payment as its payer sees it; `paymentUrl` is null unless the payment can still be made. */
export function presentPayment(payment: Payment): WirePayment {
  return {
    paymentRef: payment.reference,
    purpose: payment.purpose,
    method: payment.method,
    state: payment.status,
    amount: payment.amount,
    orderId: payment.orderId,
    paymentUrl: payment.status === 'pending' ? payment.payUrl : null,
    returnTo: payment.returnTo,
    createdAt: payment.createdAt.toISOString(),
    expiresAt: payment.expiresAt.toISOString(),
  }
}
