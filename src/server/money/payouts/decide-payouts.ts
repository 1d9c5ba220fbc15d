import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { type ApiFault, fault } from '../../http/errors.ts'
import { enqueueMail } from '../../mail/mail.ts'
import { doneBefore, logStaff } from '../../staff-log/staff-log.ts'
import { type Acting, act, BY_COMMAND } from '../acting.ts'
import { post, singleAccount } from '../ledger.ts'
import {
  type Executors,
  lockActs,
  noteDone,
  propose,
  readLeftAlone,
  spendAllowed,
  tellOwner,
} from '../two-people/acts.ts'
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
 * Above the bound a second has approved it before; one that was transferred without is booked as not
 * approved, and the owner is told. Throws `payout_not_approved`, `payout_not_found`, and `done_before` or `payout_closed` for a payout that is paid or not in the
 * state `seen`.
 */
export async function recordPayout(
  deps: Parts,
  {
    payoutId,
    seen,
    wasTransferred = false,
    ...transfer
  }: Decision & { reference: string; transferredOn?: string; wasTransferred?: boolean },
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
    const reason = transfer.reference
    const isApproved = await noteRecorded(tx, deps, acting, { payout, reason, wasTransferred })
    if (!isApproved) {
      await tx
        .updateTable('payouts')
        .set({ isUnapproved: true })
        .where('id', '=', payoutId)
        .execute()
    }
    await bookPayout(tx, { payoutId, at: new Date(deps.now()), ...transfer })
    const { actor } = acting
    await logStaff(tx, { actor, action: RECORD, subject: payoutSubject(payoutId) })
    await enqueueMail(tx, deps.jobs, 'payout_paid', { payoutId })
  })
  return readPayout(deps, payoutId)
}

/** Whether a payout may be recorded: within the bound, or approved by a second before. */
async function noteRecorded(
  tx: Tx,
  deps: Parts,
  acting: Acting,
  { payout, reason, wasTransferred }: { payout: Payout; reason: string; wasTransferred: boolean },
): Promise<boolean> {
  const at = new Date(deps.now())
  const { id, amount } = payout
  if (await spendAllowed(tx, { kind: 'payout', subject: payoutName(id), at })) return true
  const intended = { ...payoutAct(payout), reason }
  const { actor, isOperator = false } = acting
  if (isOperator) {
    await propose(tx, deps, acting, intended)
    return true
  }
  await lockActs(tx, actor)
  const isWithin = amount <= (await readLeftAlone(tx, { kind: 'payout', actor, at }))
  if (!isWithin && !wasTransferred) throw fault('payout_not_approved')
  const actId = await noteDone(tx, deps, acting, intended)
  if (!isWithin) await tellOwner(tx, deps.jobs, actId)
  return isWithin
}

/**
 * Asks a second administrator to approve a payout, before it is transferred. Throws
 * `payout_not_found`, `payout_closed`, `act_waits`.
 */
export function askForApproval(
  deps: Parts,
  { payoutId, reason }: { payoutId: number; reason: string },
  acting: Acting,
): Promise<number> {
  return act(deps, acting, async (tx) => {
    const payout = await requirePayout(tx, payoutId)
    await requireUnchanged(tx, payout, 'requested')
    const intended = { ...payoutAct(payout), reason, alwaysTwo: true }
    const waits = await propose(tx, deps, acting, intended)
    if (waits === null) throw new Error('an approval does not wait')
    return waits
  })
}

/** A second has approved a payout, if it still waits. */
export const approvePayoutAct: Executors['payout'] = async (tx, { input, amount }) => {
  const payout = await requirePayout(tx, input.payoutId)
  if (payout.status !== 'requested' || payout.amount !== amount) throw fault('act_changed')
  return undefined
}

/** A payout as the subject of an act. */
export const payoutName = (id: number) => `payout ${id}`

const payoutAct = ({ id, amount, holder, rib }: Payout) =>
  ({
    kind: 'payout',
    subject: payoutName(id),
    amount,
    input: { payoutId: id },
    detail: `${holder}, ${rib}`,
  }) as const

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
