import { type Tx, transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { enqueueMail } from '../../mail/mail.ts'
import { Refused } from '../../refused.ts'
import { logStaff } from '../../staff-log/staff-log.ts'
import { post, singleAccount } from '../ledger.ts'
import { decide, lockPayout, type Payout, payoutSubject } from './payouts.ts'

interface Decision {
  readonly payoutId: number
  readonly actor: string
}

type Parts = Pick<Deps, 'database' | 'jobs' | 'now'>

/**
 * Records that the bank transfer of a payout was made: once, however often it is said with the same
 * reference. Money that has left counts, also where the request was cancelled or refused meanwhile.
 * Throws `Refused`.
 */
export function recordPayout(
  { database, jobs, now }: Parts,
  { payoutId, actor, reference }: Decision & { reference: string },
): Promise<Payout> {
  return transaction(database, async (tx) => {
    const payout = await known(tx, payoutId)
    if (payout.status === 'paid') {
      if (payout.reference === reference) return payout
      throw new Refused(
        `Payout ${payoutId} was recorded as paid before, with the reference ${payout.reference}.`,
      )
    }
    const paid = await bookPayout(tx, { payoutId, reference, at: new Date(now()) })
    await logStaff(tx, { actor, action: 'record payout', subject: payoutSubject(payoutId) })
    await enqueueMail(tx, jobs, 'payout_paid', { payoutId })
    return paid
  })
}

/** Writes that a payout was made, which the caller has locked and nobody has written before. */
export async function bookPayout(
  tx: Tx,
  { payoutId, reference, at }: { payoutId: number; reference: string; at: Date },
): Promise<Payout> {
  const decision = { status: 'paid', decidedAt: at, reference, reason: null } as const
  const paid = await decide(tx, payoutId, decision)
  await post(tx, {
    kind: 'payout',
    payoutId,
    note: reference,
    at,
    entries: [
      { accountId: await earningsAccount(tx, paid.teacherId), amount: -paid.amount },
      { accountId: await singleAccount(tx, 'payouts'), amount: paid.amount },
    ],
  })
  return paid
}

/** Refuses a payout that waits; again for the same reason, it answers the same. Throws `Refused`. */
export function refusePayout(
  { database, jobs, now }: Parts,
  { payoutId, actor, reason }: Decision & { reason: string },
): Promise<Payout> {
  return transaction(database, async (tx) => {
    const payout = await known(tx, payoutId)
    if (payout.status === 'refused' && payout.reason === reason) return payout
    if (payout.status !== 'requested') {
      throw new Refused(`Payout ${payoutId} is ${payout.status}, and waits no more.`)
    }
    const decidedAt = new Date(now())
    const refused = await decide(tx, payoutId, { status: 'refused', decidedAt, reason })
    await logStaff(tx, { actor, action: 'refuse payout', subject: payoutSubject(payoutId), reason })
    await enqueueMail(tx, jobs, 'payout_refused', { payoutId })
    return refused
  })
}

async function known(tx: Tx, payoutId: number): Promise<Payout> {
  const payout = await lockPayout(tx, payoutId)
  if (!payout) throw new Refused(`There is no payout ${payoutId}.`)
  return payout
}

async function earningsAccount(tx: Tx, teacherId: number): Promise<number> {
  const { id } = await tx
    .selectFrom('accounts')
    .select('id')
    .where('teacherId', '=', teacherId)
    .where('kind', '=', 'teacher_earnings')
    .executeTakeFirstOrThrow()
  return id
}
