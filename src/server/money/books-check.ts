import { type Kysely, sql } from 'kysely'
import { SALE_ACCOUNTS } from '../../rules/ledger.ts'
import type { Schema } from '../database/schema.ts'

/** Orders whose items' shares differ from what the ledger has booked. */
export async function readWrongShares(db: Kysely<Schema>): Promise<{ orderId: number }[]> {
  const { rows } = await sql<{ orderId: number }>`
    WITH shared AS (
      SELECT i.order_id, i.teacher_id, i.price, i.teacher_share, moved.kind
      FROM order_items i CROSS JOIN LATERAL (
        VALUES ('purchase', i.sold_at), ('refund', i.refunded_at)
      ) AS moved (kind, at)
      WHERE moved.at IS NOT NULL AND i.price > 0
    ), expected AS (
      SELECT order_id, kind, account, teacher_id, sum(amount) AS amount
      FROM (
        SELECT order_id, kind, 'teacher_earnings' AS account, teacher_id, teacher_share AS amount
        FROM shared WHERE teacher_share IS NOT NULL
        UNION ALL
        SELECT order_id, kind, 'revenue', NULL, price - teacher_share
        FROM shared WHERE teacher_share IS NOT NULL
        UNION ALL
        SELECT order_id, kind, 'teacher_sales', teacher_id, price
        FROM shared WHERE teacher_share IS NULL
      ) AS parts
      GROUP BY order_id, kind, account, teacher_id HAVING sum(amount) <> 0
    ), booked AS (
      SELECT t.order_id, t.kind, a.kind AS account, a.teacher_id,
        sum(CASE t.kind WHEN 'refund' THEN -e.amount ELSE e.amount END) AS amount
      FROM ledger_entries e
      JOIN accounts a ON a.id = e.account_id
        AND a.kind = ANY (${SALE_ACCOUNTS}::text[])
      JOIN ledger_transactions t ON t.id = e.transaction_id AND t.kind IN ('purchase', 'refund')
      GROUP BY t.order_id, t.kind, a.kind, a.teacher_id
    ), wrong AS (
      SELECT coalesce(x.order_id, b.order_id, 0) AS order_id
      FROM expected x FULL JOIN booked b
        ON b.order_id = x.order_id AND b.kind = x.kind AND b.account = x.account
        AND coalesce(b.teacher_id, 0) = coalesce(x.teacher_id, 0)
      WHERE x.amount IS DISTINCT FROM b.amount
      UNION
      SELECT o.id FROM orders o JOIN order_items i ON i.order_id = o.id
      WHERE (o.status = 'paid') <> (i.sold_at IS NOT NULL)
    )
    SELECT order_id AS "orderId" FROM wrong ORDER BY order_id`.execute(db)
  return rows
}

/** Payouts that are not booked at their amount from the teacher's earnings to the payouts account. */
export async function readWrongPayouts(db: Kysely<Schema>): Promise<{ payoutId: number }[]> {
  const { rows } = await sql<{ payoutId: number }>`
    WITH booked AS (
      SELECT t.payout_id, a.kind, a.teacher_id, sum(e.amount) AS amount
      FROM ledger_entries e
      JOIN accounts a ON a.id = e.account_id
      JOIN ledger_transactions t ON t.id = e.transaction_id
      -- Nothing else moves that account.
      WHERE t.kind = 'payout' OR a.kind = 'payouts'
      GROUP BY t.payout_id, a.kind, a.teacher_id
    ), expected AS (
      SELECT id AS payout_id, 'payouts' AS kind, NULL::integer AS teacher_id, amount
      FROM payouts WHERE status = 'paid'
      UNION ALL
      SELECT id, 'teacher_earnings', teacher_id, -amount FROM payouts WHERE status = 'paid'
    )
    SELECT DISTINCT coalesce(x.payout_id, b.payout_id, 0) AS "payoutId"
    FROM expected x FULL JOIN booked b
      ON b.payout_id = x.payout_id AND b.kind = x.kind
      AND coalesce(b.teacher_id, 0) = coalesce(x.teacher_id, 0)
    WHERE x.amount IS DISTINCT FROM b.amount
    ORDER BY 1`.execute(db)
  return rows
}

/** Adjustments that are not booked at their amount from the adjustments account to a wallet. */
export async function readWrongAdjustments(
  db: Kysely<Schema>,
): Promise<{ adjustmentId: number }[]> {
  const { rows } = await sql<{ adjustmentId: number }>`
    WITH booked AS (
      SELECT t.adjustment_id, a.user_id, sum(e.amount) AS amount
      FROM ledger_transactions t
      JOIN ledger_entries e ON e.transaction_id = t.id
      JOIN accounts a ON a.id = e.account_id
      WHERE t.adjustment_id IS NOT NULL
      GROUP BY t.adjustment_id, a.user_id
    ), expected AS (
      SELECT id AS adjustment_id, user_id, amount FROM adjustments WHERE state = 'made'
      UNION ALL
      SELECT id, NULL, -amount FROM adjustments WHERE state = 'made'
    )
    SELECT DISTINCT coalesce(x.adjustment_id, b.adjustment_id) AS "adjustmentId"
    FROM expected x FULL JOIN booked b
      ON b.adjustment_id = x.adjustment_id AND coalesce(b.user_id, 0) = coalesce(x.user_id, 0)
    WHERE x.amount IS DISTINCT FROM b.amount
    ORDER BY 1`.execute(db)
  return rows
}
