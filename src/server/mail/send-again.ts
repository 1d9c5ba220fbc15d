import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { logStaff } from '../staff-log/staff-log.ts'

/** Queues given-up mails again, all or those with `ids`; returns their number. */
export function sendGivenUpAgain(
  { database, jobs }: Pick<Deps, 'database' | 'jobs'>,
  { actor, ids }: { actor: string; ids?: readonly string[] },
): Promise<number> {
  return transaction(database, async (tx) => {
    const wanted = ids ?? (await jobs.list('failed_mail', tx)).map(({ id }) => id)
    if (wanted.length === 0) return 0
    const sent = await jobs.sendAgain(tx, wanted)
    if (sent > 0)
      await logStaff(tx, { actor, action: 'send mails again', subject: { kind: `${sent} mails` } })
    return sent
  })
}
