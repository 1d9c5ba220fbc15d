import { sql } from 'kysely'
import { HOUR_MS } from '../../rules/durations.ts'
import { ORDER_LIFETIME_MS } from '../../rules/payment-methods.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { GatewayError } from '../gateways/gateways.ts'
import { enqueueMail } from '../mail/mail.ts'
import type { Payment } from './payments.ts'
import { PAYMENT_CHECKS_MS } from './payments.ts'
import { settle } from './settle.ts'

const PAYMENT_CHECK_LATER_MS = HOUR_MS

/** How many due payments one round checks at the gateway, and how many of them at once. */
const BATCH = 100
const AT_ONCE = 5

/**
 * Settles payments that no browser or webhook reported: checks a batch of due ones at the gateway and returns
 * their number. Two processes on one database never check the same one.
 */
export async function settleDue(deps: Deps): Promise<number> {
  // Payments at a gateway that is no longer configured stay due until it is configured again.
  if (!deps.gateway) return 0
  const due = await claimDue(deps)
  // The payments of one payer are checked one after the other: of two orders with the same document, the older
  // one sells it.
  const byPayer = [...Map.groupBy(due, ({ userId }) => userId).values()]
  const worker = async () => {
    for (let payments = byPayer.shift(); payments; payments = byPayer.shift()) {
      for (const payment of payments.toSorted((a, b) => a.id - b.id)) await check(deps, payment)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return due.length
}

async function check(deps: Deps, { id, reference, createdAt }: Due): Promise<void> {
  try {
    await settle(deps, reference)
    // A payment is given up only after the gateway has answered: until then its state is unknown, as it is
    // after a report that was not understood.
    if (deps.now() - createdAt.getTime() > ORDER_LIFETIME_MS) await stopChecking(deps, id)
  } catch (error) {
    // Without an answer, the payment is due again later.
    if (!(error instanceof GatewayError)) throw error
  }
}

/** Claims the due payments and schedules the next check of each. */
async function claimDue(deps: Deps): Promise<Due[]> {
  const now = deps.now()
  return transaction(deps.database, async (tx) => {
    const due = await tx
      .selectFrom('payments')
      .select(['id', 'reference', 'userId', 'checks', 'createdAt'])
      .where('nextCheckAt', '<=', new Date(now))
      .orderBy('nextCheckAt')
      .limit(BATCH)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const { id, checks } of due) {
      await tx
        .updateTable('payments')
        .set({ checks: checks + 1, nextCheckAt: new Date(now + pauseAfter(checks)) })
        .where('id', '=', id)
        .execute()
    }
    return due
  })
}

type Due = Pick<Payment, 'id' | 'reference' | 'userId' | 'createdAt'>

/** The pause before the next check, in milliseconds; the times in the table count from the payment's start. */
function pauseAfter(checks: number): number {
  const next = PAYMENT_CHECKS_MS[checks + 1]
  return next === undefined ? PAYMENT_CHECK_LATER_MS : next - (PAYMENT_CHECKS_MS[checks] ?? 0)
}

async function stopChecking({ database }: Deps, id: number): Promise<void> {
  await database.kysely
    .updateTable('payments')
    .set({ nextCheckAt: null })
    .where('id', '=', id)
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM payment_differences d
        WHERE d.payment_id = payments.id AND d.kind = 'report' AND d.outcome IS NULL)`,
    )
    .execute()
}

/** Ends orders and payments that were not paid within `ORDER_LIFETIME_MS`; money that comes later still counts. */
export async function expireOrders(deps: Deps): Promise<number> {
  const { kysely } = deps.database
  const now = new Date(deps.now())
  await kysely
    .updateTable('payments')
    .set({ status: 'expired' })
    .where('status', '=', 'pending')
    .where('expiresAt', '<', now)
    // Payments with a scheduled check stay: the gateway is queried once more before they are given up.
    .where('nextCheckAt', 'is', null)
    .execute()
  return transaction(deps.database, async (tx) => {
    const expired = await tx
      .updateTable('orders')
      .set({ status: 'expired' })
      .where('status', '=', 'pending')
      .where('createdAt', '<', new Date(deps.now() - ORDER_LIFETIME_MS))
      .where(
        sql<boolean>`NOT EXISTS (
          SELECT FROM payments p WHERE p.order_id = orders.id AND p.status = 'pending'
        )`,
      )
      .returning(['id as orderId', 'buyerId as userId'])
      .execute()
    for (const order of expired) await enqueueMail(tx, deps.jobs, 'order_expired', order)
    return expired.length
  })
}

/** Numbers receipts, settles due payments and expires unpaid orders; a timed job calls it. */
export async function lookAfterPayments(deps: Deps): Promise<void> {
  await deps.payments.numberReceipts()
  while ((await settleDue(deps)) === BATCH) {}
  await expireOrders(deps)
}
