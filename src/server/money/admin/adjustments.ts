import type { Millimes } from '../../../rules/money.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { enqueueMail } from '../../mail/mail.ts'
import { logStaff, userSubject } from '../../staff-log/staff-log.ts'
import { type Acting, act } from '../acting.ts'
import { lockWallet, post, singleAccount, walletBalance } from '../ledger.ts'
import { type DueAct, type Executors, propose } from '../two-people/acts.ts'

type Parts = Pick<Deps, 'database' | 'jobs' | 'now'>

interface AdjustmentRequest {
  readonly userId: number
  /** Below 0 if the money is taken from the wallet. */
  readonly amount: Millimes
  readonly reason: string
}

/**
 * Adjusts a customer's wallet; above the bound, once a second has confirmed. Returns the id of the act
 * that waits, or null. Throws `user_not_found`, `wallet_too_low`.
 */
export function adjust(
  parts: Parts,
  { userId, amount, reason }: AdjustmentRequest,
  acting: Acting,
): Promise<number | null> {
  return act(parts, acting, async (tx) => {
    await refuseUnknown(tx, userId)
    refuseShort(await walletBalance(tx, userId), amount)
    const input = { userId, amount }
    const intended = { kind: 'adjustment', subject: null, userId, amount, reason, input } as const
    const waits = await propose(tx, parts, acting, intended)
    if (waits !== null) return waits
    const { actor } = acting
    const proposedAt = new Date(parts.now())
    await make(tx, parts, { ...intended, proposer: actor, decider: actor, proposedAt })
    return null
  })
}

/** Makes the adjustment that a second has confirmed, unless the wallet holds too little by now. */
export function adjustmentAct(parts: Pick<Parts, 'jobs' | 'now'>): Executors['adjustment'] {
  return async (tx, due) => {
    await make(tx, parts, due)
    return undefined
  }
}

async function refuseUnknown(tx: Tx, userId: number): Promise<void> {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('role', '=', 'PARENT')
    .executeTakeFirst()
  if (!user) throw fault('user_not_found', { message: `There is no customer ${userId}.` })
}

function refuseShort(balance: Millimes, amount: Millimes): void {
  if (balance + amount < 0) throw fault('wallet_too_low')
}

/** Records the adjustment, moves the money from or to the adjustments account, and tells the customer. */
async function make(
  tx: Tx,
  { jobs, now }: Pick<Parts, 'jobs' | 'now'>,
  { input, reason, proposer, proposedAt, decider }: Omit<DueAct<'adjustment'>, 'amount'>,
): Promise<void> {
  const { userId, amount } = input
  const { accountId, balance } = await lockWallet(tx, userId)
  refuseShort(balance, amount)
  const { id: adjustmentId } = await tx
    .insertInto('adjustments')
    .values({
      userId,
      amount,
      reason,
      needsSecond: proposer !== decider,
      state: 'made',
      proposer,
      proposedAt,
      decider,
      decidedAt: new Date(now()),
      refusal: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await post(tx, {
    kind: 'adjustment',
    adjustmentId,
    note: reason,
    entries: [
      { accountId, amount },
      { accountId: await singleAccount(tx, 'adjustments'), amount: -amount },
    ],
  })
  await logStaff(tx, {
    actor: decider,
    action: 'adjust wallet',
    subject: userSubject(userId),
    reason,
  })
  await enqueueMail(tx, jobs, 'wallet_adjusted', { adjustmentId })
}
