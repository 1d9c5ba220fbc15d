import { type Kysely, type Selectable, sql } from 'kysely'
import type { Payout as WirePayout } from '../../../contract/payouts.ts'
import { DAY_MS } from '../../../rules/durations.ts'
import type { Millimes } from '../../../rules/money.ts'
import { BANK_ACCOUNT_WAIT_MS, PAYOUT_REQUESTS_A_DAY, withheldOf } from '../../../rules/payouts.ts'
import { countRows } from '../../database/count-rows.ts'
import type { PayoutsTable } from '../../database/money-tables.ts'
import type { Schema } from '../../database/schema.ts'
import { isApproved } from '../../database/sql-parts.ts'
import { type Tx, transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { enqueueMail } from '../../mail/mail.ts'
import { logStaff } from '../../staff-log/staff-log.ts'
import { readBalance } from '../earnings/balance.ts'
import { readSetting, withholdingOf } from '../settings.ts'

/** A teacher's request to send money to their bank account. */
export type Payout = Selectable<PayoutsTable>

export const CANCEL = 'cancel payout'

export const payoutSubject = (id: number) => ({ kind: 'payout', id })

interface PayoutRequest {
  readonly actor: string
  readonly teacherId: number
  readonly amount: Millimes
  /** Milliseconds since 1970. */
  readonly at: number
}

/**
 * Requests a payout from the available balance to the current bank account. Throws
 * `account_not_approved`, `bank_account_missing`, `bank_account_new`, `payout_open` while another one
 * waits, `payout_below_minimum`, `payout_not_available`, and `too_many_requests` after
 * `PAYOUT_REQUESTS_A_DAY`.
 */
export async function requestPayout(
  tx: Tx,
  { actor, teacherId, amount, at }: PayoutRequest,
): Promise<Payout> {
  if (!(await isApproved(tx, teacherId))) throw fault('account_not_approved')
  await lockEarnings(tx, teacherId)
  const account = await bankAccountOf(tx, teacherId)
  if (!account) throw fault('bank_account_missing')
  if (await payoutsWaitUntil(tx, teacherId, at)) throw fault('bank_account_new')
  const { open, today } = await countRequests(tx, teacherId, new Date(at - DAY_MS))
  if (open > 0) throw fault('payout_open')
  if (today >= PAYOUT_REQUESTS_A_DAY) {
    throw fault('too_many_requests', { retryAfter: DAY_MS / 1000 })
  }
  if (amount < (await readSetting(tx, 'payout_minimum'))) throw fault('payout_below_minimum')
  const { available } = await readBalance(tx, { teacherId, at })
  if (amount > available) throw fault('payout_not_available')
  const withheld = withheldOf(amount, await withholdingOf(tx, teacherId))
  const payout = await tx
    .insertInto('payouts')
    .values({ teacherId, amount, withheld, ...account, requestedAt: new Date(at) })
    .returningAll()
    .executeTakeFirstOrThrow()
  await logStaff(tx, {
    actor,
    action: 'ask for payout',
    subject: payoutSubject(payout.id),
  })
  return payout
}

/** Cancels a request; a repetition changes nothing. Throws `payout_not_found`, `payout_closed`. */
export async function cancelPayout(
  tx: Tx,
  request: { actor: string; teacherId: number; payoutId: number; at: number },
): Promise<Payout> {
  const payout = await lockPayout(tx, request.payoutId)
  if (payout?.teacherId !== request.teacherId) throw fault('payout_not_found')
  if (payout.status === 'cancelled') return payout
  if (payout.status !== 'requested') throw fault('payout_closed')
  await logStaff(tx, {
    actor: request.actor,
    action: CANCEL,
    subject: payoutSubject(payout.id),
  })
  return decide(tx, payout.id, { status: 'cancelled', decidedAt: new Date(request.at) })
}

export function lockPayout(tx: Tx, id: number): Promise<Payout | undefined> {
  return tx
    .selectFrom('payouts')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Stores a decision about a payout that the caller has locked. */
export function decide(
  tx: Tx,
  id: number,
  decision: Pick<Payout, 'status' | 'decidedAt'> &
    Partial<Pick<Payout, 'reference' | 'reason' | 'transferredOn'>>,
): Promise<Payout> {
  return tx
    .updateTable('payouts')
    .set((row) => ({
      ...decision,
      withheldBooked: decision.status === 'paid' ? row.ref('withheld') : 0,
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function payoutsOf(
  db: Kysely<Schema>,
  { teacherId, page, size }: { teacherId: number; page: number; size: number },
): Promise<{ payouts: Payout[]; total: number }> {
  const query = db.selectFrom('payouts').where('teacherId', '=', teacherId)
  const payouts = await query
    .selectAll()
    .orderBy('id', 'desc')
    .limit(size)
    .offset(page * size)
    .execute()
  return { payouts, total: await countRows(query) }
}

/** Locks the teacher's earnings account, opening it if missing, so that requests run one at a time. */
async function lockEarnings(tx: Tx, teacherId: number): Promise<void> {
  await sql`
    INSERT INTO accounts (kind, teacher_id) VALUES ('teacher_earnings', ${teacherId})
    ON CONFLICT (teacher_id, kind) WHERE teacher_id IS NOT NULL DO NOTHING`.execute(tx)
  // Not FOR UPDATE: purchases refer to the account by foreign key and must not wait for this.
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

export function presentPayout(payout: Payout): WirePayout {
  return {
    id: payout.id,
    state: payout.status,
    amount: payout.amount,
    withheld: payout.withheld,
    requestedAt: payout.requestedAt.toISOString(),
    decidedAt: payout.decidedAt?.toISOString() ?? null,
    rib: payout.rib,
    reference: payout.reference,
    reason: payout.reason,
  }
}

/** The account to which a teacher's payouts go; `rib` is 20 digits. */
export interface BankAccount {
  readonly holder: string
  readonly rib: string
  /** '' for a teacher without a tax number. */
  readonly taxNumber: string
}

/** A changed account; without a tax number, the previous one stays. */
type NewAccount = Omit<BankAccount, 'taxNumber'> & { readonly taxNumber?: string | undefined }

export async function bankAccountOf(
  db: Kysely<Schema>,
  teacherId: number,
): Promise<BankAccount | null> {
  const account = await db
    .selectFrom('bankAccounts')
    .select(['holder', 'rib', 'taxNumber'])
    .where('teacherId', '=', teacherId)
    .executeTakeFirst()
  return account ?? null
}

/** Until when a teacher's payouts wait after a change; null: they do not. */
export async function payoutsWaitUntil(
  db: Kysely<Schema>,
  teacherId: number,
  at: number,
): Promise<Date | null> {
  const waiting = await db
    .selectFrom('bankAccounts')
    .select('payableFrom')
    .where('teacherId', '=', teacherId)
    .where('payableFrom', '>', new Date(at))
    .executeTakeFirst()
  return waiting?.payableFrom ?? null
}

/**
 * Lets a teacher's payouts wait after a change of the e-mail or phone: the former one is told of it,
 * and for as long of a change of the bank account, so that its owner can still stop them.
 */
export async function holdPayouts(
  tx: Tx,
  { now }: Pick<Deps, 'now'>,
  { userId, former }: { userId: number; former: string | null },
): Promise<void> {
  const isTeacher = await tx
    .selectFrom('teachers')
    .select('id')
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (!isTeacher) return
  if (former !== null) {
    const changedAt = new Date(now())
    await tx
      .insertInto('formerContacts')
      .values({ userId, contact: former, changedAt })
      .onConflict((conflict) => conflict.columns(['userId', 'contact']).doUpdateSet({ changedAt }))
      .execute()
  }
  await tx
    .updateTable('bankAccounts')
    .set({ payableFrom: new Date(now() + BANK_ACCOUNT_WAIT_MS) })
    .where('teacherId', '=', isTeacher.id)
    .execute()
}

/**
 * Sets the account of future payouts, which then wait unless it is the first of a teacher whose
 * contacts are not new, and notifies the teacher, at a former contact too; a payout that was requested before keeps its account.
 */
export function keepBankAccount(
  { database, jobs, now }: Pick<Deps, 'database' | 'jobs' | 'now'>,
  {
    userId,
    actor,
    teacherId,
    account,
  }: { userId: number; actor: string; teacherId: number; account: NewAccount },
): Promise<void> {
  const row = { ...account, changedAt: new Date(now()) }
  const waits = new Date(now() + BANK_ACCOUNT_WAIT_MS)
  return transaction(database, async (tx) => {
    // As a change of contact does, so that the two come one after the other.
    await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
    const former = await formerContacts(tx, { userId, now })
    const changed = await tx
      .insertInto('bankAccounts')
      .values({ teacherId, ...row, payableFrom: former.length > 0 ? waits : null })
      .onConflict((conflict) =>
        conflict
          .column('teacherId')
          .doUpdateSet({
            ...row,
            // A tax number moves no money elsewhere.
            payableFrom: sql<Date | null>`CASE
              WHEN (bank_accounts.rib, bank_accounts.holder) = (excluded.rib, excluded.holder)
              THEN bank_accounts.payable_from
              ELSE ${waits}::timestamptz END`,
          })
          .where((known) =>
            known.or([
              known('bankAccounts.rib', '<>', account.rib),
              known('bankAccounts.holder', '<>', account.holder),
              known(
                'bankAccounts.taxNumber',
                '<>',
                known.fn.coalesce(known.val(account.taxNumber ?? null), 'bankAccounts.taxNumber'),
              ),
            ]),
          ),
      )
      .returning('teacherId')
      .executeTakeFirst()
    // An unchanged account needs no mail.
    if (!changed) return
    await logStaff(tx, {
      actor,
      action: 'set bank account',
      subject: { kind: 'teacher', id: teacherId },
      reason: account.rib,
    })
    // Null: where the teacher is reached now, as perhaps before.
    const others = former.flatMap(({ contact, isCurrent }) => (isCurrent ? [] : contact))
    for (const to of [null, ...others]) {
      await enqueueMail(tx, jobs, 'bank_account_changed', { userId, to })
    }
  })
}

/** The e-mail addresses and phone numbers that were a teacher's within the days that payouts wait. */
const formerContacts = (tx: Tx, { userId, now }: { userId: number } & Pick<Deps, 'now'>) =>
  tx
    .selectFrom('formerContacts')
    .innerJoin('users', 'users.id', 'userId')
    .select(['contact', sql<boolean>`contact IN (email, phone) IS TRUE`.as('isCurrent')])
    .where('userId', '=', userId)
    .where('changedAt', '>', new Date(now() - BANK_ACCOUNT_WAIT_MS))
    .orderBy('contact')
    .execute()
