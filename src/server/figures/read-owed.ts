import { type Kysely, sql } from 'kysely'
import type { Owed } from '../../contract/office-figures.ts'
import { DAY_MS } from '../../rules/durations.ts'
import type { Millimes } from '../../rules/money.ts'
import type { Schema } from '../database/schema.ts'
import { readSetting } from '../money/money.ts'

/**
 * What the shop owes at a moment according to the ledger: `payable + held - overpaid` is the sum of
 * all teachers' accounts.
 */
export async function readOwed(db: Kysely<Schema>, at: number): Promise<Owed> {
  const held = new Date(at - (await readSetting(db, 'hold_days')) * DAY_MS)
  const { rows } = await sql<
    Record<'wallets' | 'total' | 'payable' | 'overpaid' | 'requested', Millimes>
  >`
    WITH earned AS (
      SELECT a.teacher_id, sum(e.amount) AS balance
      FROM accounts a JOIN ledger_entries e ON e.account_id = a.id
      WHERE a.kind = 'teacher_earnings' GROUP BY a.teacher_id
    ), recent AS (
      SELECT teacher_id, sum(teacher_share) AS held FROM order_items
      WHERE price > 0 AND sold_at > ${held} AND refunded_at IS NULL GROUP BY teacher_id
    )
    SELECT
      (SELECT coalesce(sum(balance), 0)::bigint FROM accounts WHERE kind = 'customer') AS wallets,
      (SELECT coalesce(sum(amount), 0)::bigint FROM payouts WHERE status = 'requested') AS requested,
      coalesce(sum(balance), 0)::bigint AS total,
      coalesce(sum(greatest(balance - coalesce(held, 0), 0)), 0)::bigint AS payable,
      coalesce(sum(greatest(-balance, 0)), 0)::bigint AS overpaid
    FROM earned LEFT JOIN recent USING (teacher_id)`.execute(db)
  const { wallets = 0, total = 0, payable = 0, overpaid = 0, requested = 0 } = rows[0] ?? {}
  return { wallets, payable, requested, held: total + overpaid - payable, overpaid }
}
