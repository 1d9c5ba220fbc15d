import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import { DAY_MS } from '../../../rules/durations.ts'
import type { Millimes } from '../../../rules/money.ts'
import { PAYOUT_REQUESTS_A_DAY } from '../../../rules/payouts.ts'
import type { PayoutsTable } from '../../database/money-tables.ts'
import type { Schema } from '../../database/schema.ts'
import type { Tx } from '../../database/transaction.ts'
import { fault } from '../../http/errors.ts'
import { logStaff, userSubject } from '../../staff-log/staff-log.ts'
import { readBalance } from '../earnings/balance.ts'
import { readSetting } from '../settings.ts'
import { bankAccountOf } from './bank-accounts.ts'

/** Money that a teacher asked to be sent to their bank account. */
export type Payout = Selectable<PayoutsTable>

/** The log's word for a request that its teacher takes back. */
export const CANCEL = 'cancel payout'

/** How the log names a payout. */
export const payoutSubject = (id: number) => `payout ${id}`

export interface PayoutRequest {
  readonly userId: number
  readonly teacherId: number
  readonly amount: Millimes
  /** Milliseconds since 1970. */
  readonly at: number
}

/**
 * Asks for a payout of what is available, to the bank account of this moment. Throws
 * `bank_account_missing`, `payout_open` while another one waits, `payout_below_minimum`,
 * `payout_not_available`, and `too_many_requests` for one who asks and cancels all day.
 */
export async function requestPayout(
  tx: Tx,
  { userId, teacherId, amount, at }: PayoutRequest,
): Promise<Payout> {
  await lockEarnings(tx, teacherId)
  const account = await bankAccountOf(tx, teacherId)
  if (!account) throw fault('bank_account_missing')
  const { open, today } = await countRequests(tx, teacherId, new Date(at - DAY_MS))
  if (open > 0) throw fault('payout_open')
  if (today >= PAYOUT_REQUESTS_A_DAY) {
    throw fault('too_many_requests', { retryAfter: DAY_MS / 1000 })
  }
  if (amount < (await readSetting(tx, 'payout_minimum'))) throw fault('payout_below_minimum')
  const { available } = await readBalance(tx, { teacherId, at })
  if (amount > available) throw fault('payout_not_available')
  const payout = await tx
    .insertInto('payouts')
    .values({ teacherId, amount, ...account, requestedAt: new Date(at) })
    .returningAll()
    .executeTakeFirstOrThrow()
  await logStaff(tx, {
    actor: userSubject(userId),
    action: 'ask for payout',
    subject: payoutSubject(payout.id),
  })
  return payout
}

/** Takes a request back; again, it answers the same. Throws `payout_not_found`, `payout_closed`. */
export async function cancelPayout(
  tx: Tx,
  request: { userId: number; teacherId: number; payoutId: number; at: number },
): Promise<Payout> {
  const payout = await lockPayout(tx, request.payoutId)
  if (payout?.teacherId !== request.teacherId) throw fault('payout_not_found')
  if (payout.status === 'cancelled') return payout
  if (payout.status !== 'requested') throw fault('payout_closed')
  await logStaff(tx, {
    actor: userSubject(request.userId),
    action: CANCEL,
    subject: payoutSubject(payout.id),
  })
  return decide(tx, payout.id, { status: 'cancelled', decidedAt: new Date(request.at) })
}

/** A payout, locked until the transaction ends. */
export function lockPayout(tx: Tx, id: number): Promise<Payout | undefined> {
  return tx
    .selectFrom('payouts')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Writes what was decided about a payout that the caller has locked. */
export function decide(
  tx: Tx,
  id: number,
  decision: Pick<Payout, 'status' | 'decidedAt'> &
    Partial<Pick<Payout, 'reference' | 'reason' | 'transferredOn'>>,
): Promise<Payout> {
  return tx
    .updateTable('payouts')
    .set(decision)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A teacher's payouts, newest first, a page of them, and how many there are in all. */
export async function payoutsOf(
  db: Kysely<Schema>,
  { teacherId, page, size }: { teacherId: number; page: number; size: number },
): Promise<{ payouts: Payout[]; total: number }> {
  const payouts = await db
    .selectFrom('payouts')
    .selectAll()
    .where('teacherId', '=', teacherId)
    .orderBy('id', 'desc')
    .limit(size)
    .offset(page * size)
    .execute()
  const { total } = await db
    .selectFrom('payouts')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('teacherId', '=', teacherId)
    .executeTakeFirstOrThrow()
  return { payouts, total: Number(total) }
}

/** The teacher's account of earnings, opened where it lacks; one request at a time gets past it. */
async function lockEarnings(tx: Tx, teacherId: number): Promise<void> {
  await sql`
    INSERT INTO accounts (kind, teacher_id) VALUES ('teacher_earnings', ${teacherId})
    ON CONFLICT (teacher_id, kind) WHERE teacher_id IS NOT NULL DO NOTHING`.execute(tx)
  // Buyers go on: their entries need no more than that the account stays.
  await sql`
    SELECT FROM accounts WHERE teacher_id = ${teacherId} AND kind = 'teacher_earnings'
    FOR NO KEY UPDATE`.execute(tx)
}

async function countRequests(
  tx: Tx,
  teacherId: number,
  since: Date,
): Promise<{ open: number; today: number }> {
  const { rows } = await sql<{ open: number; today: number }>`
    SELECT count(*) FILTER (WHERE status = 'requested')::integer AS open,
      count(*) FILTER (WHERE requested_at > ${since})::integer AS today
    FROM payouts WHERE teacher_id = ${teacherId}`.execute(tx)
  return rows[0] ?? { open: 0, today: 0 }
}
