import type { Kysely } from 'kysely'
import type { Schema } from '../../database/schema.ts'
import { transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { enqueueMail } from '../../mail/mail.ts'
import { logStaff } from '../../staff-log/staff-log.ts'

/** The account to which a teacher's payouts go; `rib` is 20 digits. */
export interface BankAccount {
  readonly holder: string
  readonly rib: string
}

export async function bankAccountOf(
  db: Kysely<Schema>,
  teacherId: number,
): Promise<BankAccount | null> {
  const account = await db
    .selectFrom('bankAccounts')
    .select(['holder', 'rib'])
    .where('teacherId', '=', teacherId)
    .executeTakeFirst()
  return account ?? null
}

/**
 * Sets the account of future payouts and notifies the teacher by mail; a payout that was requested
 * before keeps its account.
 */
export function keepBankAccount(
  { database, jobs, now }: Pick<Deps, 'database' | 'jobs' | 'now'>,
  {
    userId,
    actor,
    teacherId,
    account,
  }: { userId: number; actor: string; teacherId: number; account: BankAccount },
): Promise<void> {
  const row = { ...account, changedAt: new Date(now()) }
  return transaction(database, async (tx) => {
    const changed = await tx
      .insertInto('bankAccounts')
      .values({ teacherId, ...row })
      .onConflict((conflict) =>
        conflict
          .column('teacherId')
          .doUpdateSet(row)
          .where((known) =>
            known.or([
              known('bankAccounts.rib', '<>', account.rib),
              known('bankAccounts.holder', '<>', account.holder),
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
    await enqueueMail(tx, jobs, 'bank_account_changed', { userId })
  })
}
