import { sql } from 'kysely'
import { RETENTION } from '../../rules/retention.ts'
import { codeOf, FOREIGN_KEY_VIOLATION } from '../database/start-error.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { endSessions } from './ended-sessions.ts'

/** How many accounts are read at a time. */
const ENDED_AT_ONCE = 500

/**
 * Ends the accounts that nobody confirmed and that hold no money, purchase or message. What is not
 * listed here, and refers to an account, keeps it.
 */
export async function endUnconfirmed({
  database,
  now,
}: Pick<Deps, 'database' | 'now'>): Promise<void> {
  const before = (age: number) => new Date(now() - age)
  for (let above = 0; ; ) {
    const { rows } = await sql<{ id: number }>`
      SELECT id FROM users u
      WHERE id > ${above} AND role = 'PARENT' AND NOT is_demo
        AND email_confirmed_at IS NULL AND phone_confirmed_at IS NULL
        AND merged_into IS NULL AND deleted_at IS NULL AND blocked_at IS NULL
        AND created_at < CASE WHEN email IS NULL THEN ${before(RETENTION.unconfirmedPhones)}::timestamptz
          ELSE ${before(RETENTION.unconfirmedEmails)}::timestamptz END
        AND NOT EXISTS (SELECT FROM ledger_entries e JOIN accounts a ON a.id = e.account_id
          WHERE a.user_id = u.id)
        AND NOT EXISTS (SELECT FROM orders WHERE buyer_id = u.id)
        AND NOT EXISTS (SELECT FROM payments WHERE user_id = u.id)
        AND NOT EXISTS (SELECT FROM purchases WHERE user_id = u.id)
        AND NOT EXISTS (SELECT FROM chat_messages WHERE u.id IN (sender_id, receiver_id))
        AND NOT EXISTS (SELECT FROM ratings WHERE user_id = u.id)
      ORDER BY id LIMIT ${ENDED_AT_ONCE}`.execute(database.kysely)
    for (const { id } of rows) await endAccount(database, id)
    above = rows.at(-1)?.id ?? 0
    if (rows.length < ENDED_AT_ONCE) return
  }
}

/** What an account has without holding anything; other rows go with it. */
const DELETED = [
  'cart_items',
  'wishlist_items',
  'correction_waits',
  'told_corrections',
  'follows',
  'mail_counts',
  'terms_acceptances',
  'idempotent_requests',
  'chat_readers',
  'chat_senders',
  'chat_presence',
  'accounts',
]

/** Deletes an account that holds nothing; one that has come to hold something meanwhile stays. */
async function endAccount(database: Deps['database'], id: number): Promise<void> {
  const ending = transaction(database, async (tx) => {
    // It may have been confirmed since.
    const { rows } = await sql`
      SELECT FROM users WHERE id = ${id} AND email_confirmed_at IS NULL
        AND phone_confirmed_at IS NULL FOR UPDATE`.execute(tx)
    if (rows.length === 0) return
    for (const table of DELETED) {
      await sql`DELETE FROM ${sql.table(table)} WHERE user_id = ${id}`.execute(tx)
    }
    await endSessions(tx, id)
    await sql`DELETE FROM users WHERE id = ${id}`.execute(tx)
  })
  await ending.catch((error) => {
    if (codeOf(error) !== FOREIGN_KEY_VIOLATION) throw error
  })
}
