import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { type ApiFault, fault } from '../../http/errors.ts'
import { enqueueMail } from '../../mail/mail.ts'
import { doneBefore, logStaff } from '../../staff-log/staff-log.ts'
import { type Acting, act, BY_COMMAND } from '../acting.ts'
import { post, singleAccount } from '../ledger.ts'
import { CANCEL, decide, lockPayout, type Payout, payoutSubject } from './payouts.ts'

interface Decision {
  readonly payoutId: number
  /** The state that the staff member was shown; a decision about another state is refused. */
  readonly seen?: Payout['status']
}

type Parts = Pick<Deps, 'database' | 'jobs' | 'now'>

const RECORD = 'record payout'
const REFUSE = 'refuse payout'

/**
 * Records that the bank transfer of a payout was made, once however often it is repeated with the same
 * reference. Money that was transferred is booked even if the request was cancelled or refused meanwhile.
 * Throws `payout_not_found`, and `done_before` or `payout_closed` for a payout that is paid or not in the
 * state `seen`.
 */
export async function recordPayout(
  deps: Parts,
  { payoutId, seen, ...transfer }: Decision & { reference: string; transferredOn?: string },
  acting: Acting = BY_COMMAND,
): Promise<Payout> {
  await act(deps, acting, async (tx) => {
    const payout = await requirePayout(tx, payoutId)
    if (payout.status === 'paid') {
      if (seen === undefined && payout.reference === transfer.reference) return
      const message = `Payout ${payoutId} was recorded as paid before, with the reference ${payout.reference}.`
      throw await decidedBefore(tx, payoutId, message)
    }
    await requireUnchanged(tx, payout, seen)
    await bookPayout(tx, { payoutId, at: new Date(deps.now()), ...transfer })
    const { actor } = acting
    await logStaff(tx, { actor, action: RECORD, subject: payoutSubject(payoutId) })
    await enqueueMail(tx, deps.jobs, 'payout_paid', { payoutId })
  })
  return readPayout(deps, payoutId)
}

/** Marks a payout as paid and books it; the caller has locked it and knows that it is not booked. */
export async function bookPayout(
  tx: Tx,
  {
    payoutId,
    at,
    ...transfer
  }: { payoutId: number; at: Date; reference: string; transferredOn?: string },
): Promise<Payout> {
  const { reference } = transfer
  const decision = { status: 'paid', decidedAt: at, reason: null, ...transfer } as const
  const paid = await decide(tx, payoutId, decision)
  await post(tx, {
    kind: 'payout',
    payoutId,
    note: reference,
    at,
    entries: [
      { accountId: await earningsAccount(tx, paid.teacherId), amount: -paid.amount },
      { accountId: await singleAccount(tx, 'payouts'), amount: paid.amount - paid.withheld },
      { accountId: await singleAccount(tx, 'withheld'), amount: paid.withheld },
    ],
  })
  return paid
}

/**
 * Refuses a payout that waits; a repetition with the same reason changes nothing. Throws `payout_not_found`,
 * and `done_before` or `payout_closed` for a payout that no longer waits.
 */
export async function refusePayout(
  deps: Parts,
  { payoutId, seen, reason }: Decision & { reason: string },
  acting: Acting = BY_COMMAND,
): Promise<Payout> {
  await act(deps, acting, async (tx) => {
    const payout = await requirePayout(tx, payoutId)
    const isSame = payout.status === 'refused' && payout.reason === reason
    if (seen === undefined && isSame) return
    await requireUnchanged(tx, payout, 'requested')
    await decide(tx, payoutId, { status: 'refused', decidedAt: new Date(deps.now()), reason })
    const { actor } = acting
    await logStaff(tx, { actor, action: REFUSE, subject: payoutSubject(payoutId), reason })
    await enqueueMail(tx, deps.jobs, 'payout_refused', { payoutId })
  })
  return readPayout(deps, payoutId)
}

async function requirePayout(tx: Tx, payoutId: number): Promise<Payout> {
  const payout = await lockPayout(tx, payoutId)
  if (payout) return payout
  throw fault('payout_not_found', { message: `There is no payout ${payoutId}.` })
}

/** Throws where a payout is not in the state `seen`. */
async function requireUnchanged(tx: Tx, { id, status }: Payout, seen: Payout['status'] = status) {
  if (status === seen) return
  throw await decidedBefore(tx, id, `Payout ${id} is ${status} and no longer waits.`)
}

async function decidedBefore(tx: Tx, payoutId: number, message: string): Promise<ApiFault> {
  const subject = payoutSubject(payoutId)
  const first = await doneBefore(tx, { subject, actions: [RECORD, REFUSE, CANCEL] })
  return fault(first?.code ?? 'payout_closed', { ...first?.extra, message })
}

function readPayout({ database }: Parts, id: number): Promise<Payout> {
  return database.kysely
    .selectFrom('payouts')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
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
