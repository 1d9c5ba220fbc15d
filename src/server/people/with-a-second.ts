import type { InvitationForm } from '../../contract/office-people.ts'
import type { StaffRole } from '../../rules/roles.ts'
import { inviteWithin, makeReadCode, requireReadable } from '../accounts/accounts.ts'
import { administratorsIn } from '../database/sql-parts.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { enqueueMail } from '../mail/mail.ts'
import { type Acting, type Executors, propose, spendAllowed } from '../money/money.ts'
import { userActor } from '../staff-log/staff-log.ts'

type Parts = Pick<Deps, 'database' | 'jobs' | 'config' | 'now' | 'secret'>

/** A code to read out, or the act that waits for a second before there is one. */
interface ReadCode {
  readonly waits: number | null
  readonly code: { phone: string; code: string; expiresAt: string } | null
}

/**
 * Makes the code that an administrator reads out to a customer without an e-mail, once a second has
 * confirmed; until then it asks for that. Throws `user_not_found`, `account_not_active`,
 * `account_has_email`, `act_waits`.
 */
export function readOutCode(
  deps: Parts,
  { userId, reason }: { userId: number; reason: string },
  acting: Acting,
): Promise<ReadCode> {
  return transaction(deps.database, async (tx) => {
    const phone = await requireReadable(tx, userId)
    const { actor } = acting
    const subject = userActor(userId)
    const at = new Date(deps.now())
    const isAllowed = await spendAllowed(tx, { kind: 'code', subject, proposer: actor, at })
    if (isAllowed) return { waits: null, code: await makeReadCode(tx, deps, { userId, actor }) }
    const waits = await propose(tx, deps, acting, {
      kind: 'code',
      subject,
      userId,
      amount: 0,
      reason,
      input: { userId },
      detail: phone,
    })
    return { waits, code: null }
  })
}

/** A second allows a code to be read out, if the account still has no e-mail. */
export const codeAct: Executors['code'] = async (tx, { input }) => {
  await requireReadable(tx, input.userId)
  return undefined
}

/**
 * Invites a teacher; an administrator only once a second has confirmed, where there are two. Throws
 * as `inviteWithin` does, and `act_waits`.
 */
export function invite(
  deps: Parts,
  { reason, ...invitation }: Omit<InvitationForm, 'reason'> & { reason: string },
  acting: Acting,
): Promise<{ id: number | null; waits: number | null }> {
  return transaction(deps.database, async (tx) => {
    const { role, ...input } = invitation
    const { actor } = acting
    if (role === 'ADMIN' && (await areTwo(tx))) {
      const waits = await propose(tx, deps, acting, {
        kind: 'administrator',
        subject: input.email.toLowerCase(),
        amount: 0,
        reason,
        input,
        detail: input.email,
      })
      return { id: null, waits }
    }
    return { id: await inviteByMail(tx, deps, { ...input, role, actor }), waits: null }
  })
}

/** Invites the administrator whom a second has confirmed, in the name of the one who asked. */
export function administratorAct(deps: Parts): Executors['administrator'] {
  return async (tx, { input, proposer: actor }) => {
    await inviteByMail(tx, deps, { ...input, role: 'ADMIN', actor })
    return undefined
  }
}

async function inviteByMail(
  tx: Tx,
  deps: Parts,
  invitation: Omit<InvitationForm, 'reason' | 'role'> & { role: StaffRole; actor: string },
): Promise<number> {
  const { userId } = await inviteWithin(tx, deps, invitation)
  await enqueueMail(tx, deps.jobs, 'staff_invitation', { userId })
  return userId
}

/** Whether the shop has two administrators who can log in. */
async function areTwo(tx: Tx): Promise<boolean> {
  const rows = await administratorsIn(tx).select('id').limit(2).execute()
  return rows.length === 2
}
