import { type Kysely, sql } from 'kysely'
import { CLOSING_LINES } from '../../../contract/office-closings.ts'
import { ACCOUNT_KINDS, type AccountKind, SALE_ACCOUNTS } from '../../../rules/ledger.ts'
import type { Millimes } from '../../../rules/money.ts'
import { daysAfter, startOfDay } from '../../../rules/tunisia-time.ts'
import type { Schema } from '../../database/schema.ts'

export interface DayLine {
  readonly line: (typeof CLOSING_LINES)[number]
  readonly count: number
  /** The sum in the shop's records: of payments, items, adjustments and payouts. */
  readonly recorded: Millimes
  /** The sum in the ledger's entries. */
  readonly booked: Millimes
}

export interface DayBalance {
  readonly account: AccountKind
  readonly opening: Millimes
  readonly moved: Millimes
  readonly closing: Millimes
}

export interface DaySums {
  readonly lines: readonly DayLine[]
  readonly balances: readonly DayBalance[]
  /** 0 where records and ledger agree and the ledger sums to 0. */
  readonly difference: Millimes
}

/** The movements of a day (`2026-11-22`) in Tunisia, and the balances of all accounts before and after it. */
export async function sumsOfDay(db: Kysely<Schema>, day: string): Promise<DaySums> {
  const span = { from: startOfDay(day), to: startOfDay(daysAfter(day, 1)) }
  const lines = await linesOf(db, span)
  const balances = await balancesOf(db, span)
  const apart = lines.reduce((sum, { recorded, booked }) => sum + Math.abs(recorded - booked), 0)
  const rest = balances.reduce((sum, { closing }) => sum + closing, 0)
  return { lines, balances, difference: apart + Math.abs(rest) }
}

interface Span {
  readonly from: Date
  readonly to: Date
}

async function linesOf(db: Kysely<Schema>, { from, to }: Span): Promise<DayLine[]> {
  const { rows } = await sql<DayLine>`
    WITH moved AS MATERIALIZED (
      SELECT t.id, t.kind, t.order_id, t.payment_id, t.payout_id, t.adjustment_id, t.created_at,
        coalesce(sum(-e.amount) FILTER (WHERE a.kind = 'gateway'), 0) AS came,
        coalesce(sum(e.amount) FILTER (WHERE a.kind = ANY (${SALE_ACCOUNTS}::text[])), 0)
          AS sold,
        coalesce(sum(e.amount) FILTER (WHERE a.kind = 'customer'), 0) AS wallets,
        coalesce(sum(e.amount) FILTER (WHERE a.kind = 'payouts'), 0) AS paid_out,
        coalesce(sum(e.amount) FILTER (WHERE e.amount > 0), 0) AS received,
        coalesce(sum(-e.amount) FILTER (WHERE e.amount < 0), 0) AS given_up
      FROM ledger_transactions t
      JOIN ledger_entries e ON e.transaction_id = t.id
      JOIN accounts a ON a.id = e.account_id
      WHERE t.created_at >= ${from} AND t.created_at < ${to}
      GROUP BY t.id
    ), payments_in AS (
      SELECT p.method AS line, count(*) AS count, sum(p.amount) AS recorded, sum(m.came) AS booked
      FROM moved m JOIN payments p ON p.id = m.payment_id GROUP BY p.method
    ), sold AS (
      SELECT m.payment_id, m.sold, i.count, i.price
      FROM moved m CROSS JOIN LATERAL (
        SELECT count(*) AS count, sum(price) AS price FROM order_items WHERE order_id = m.order_id
      ) AS i
      WHERE m.kind = 'purchase'
    ), refunded AS (
      SELECT m.wallets, i.count, i.price
      FROM moved m CROSS JOIN LATERAL (
        SELECT count(*) AS count, sum(price) AS price FROM order_items
        -- Items that are refunded together carry the time of their ledger transaction.
        WHERE order_id = m.order_id AND refunded_at = m.created_at
      ) AS i
      WHERE m.kind = 'refund'
    ), adjusted AS (
      SELECT CASE WHEN m.wallets > 0 THEN 'given' ELSE 'taken' END AS line, count(*) AS count,
        -- The oldest adjustments have no record but their entries.
        sum(coalesce(j.amount, m.wallets)) AS recorded, sum(m.wallets) AS booked
      FROM moved m LEFT JOIN adjustments j ON j.id = m.adjustment_id
      WHERE m.kind = 'adjustment' GROUP BY 1
    ), found AS (
      SELECT line, count, recorded, booked FROM payments_in
      UNION ALL
      SELECT 'sales', sum(count), sum(price), sum(sold) FROM sold
      UNION ALL
      SELECT 'walletSales', sum(count), sum(price), sum(sold) FROM sold WHERE payment_id IS NULL
      UNION ALL
      SELECT 'topUps', count(*), sum(p.amount), sum(m.wallets)
      FROM moved m JOIN payments p ON p.id = m.payment_id WHERE m.kind = 'top_up'
      UNION ALL
      SELECT 'refunds', sum(count), sum(price), sum(wallets) FROM refunded
      UNION ALL
      SELECT line, count, recorded, booked FROM adjusted
      UNION ALL
      SELECT 'payouts', count(*), sum(p.amount), sum(m.paid_out)
      FROM moved m JOIN payouts p ON p.id = m.payout_id
      UNION ALL
      -- From wallet to wallet: what the ones gave up, and what the others received.
      SELECT 'merged', count(*), sum(given_up), sum(received) FROM moved WHERE kind = 'merge'
    )
    SELECT lines.line, coalesce(f.count, 0)::integer AS count,
      coalesce(f.recorded, 0)::bigint AS recorded, coalesce(f.booked, 0)::bigint AS booked
    FROM unnest(${CLOSING_LINES}::text[]) WITH ORDINALITY AS lines (line, place)
    LEFT JOIN found f USING (line)
    ORDER BY lines.place`.execute(db)
  return rows
}

/** Reads all balances in one statement, so that they are of the same moment. */
async function balancesOf(db: Kysely<Schema>, { from, to }: Span): Promise<DayBalance[]> {
  const { rows } = await sql<{
    account: AccountKind
    now: Millimes
    moved: Millimes
    later: Millimes
  }>`
    WITH held AS (
      SELECT kind, sum(balance) AS held FROM accounts WHERE balance IS NOT NULL GROUP BY kind
      UNION ALL
      SELECT a.kind, coalesce(sum(e.amount), 0)
      FROM accounts a LEFT JOIN ledger_entries e ON e.account_id = a.id
      WHERE a.balance IS NULL GROUP BY a.kind
    ), since AS (
      SELECT a.kind, sum(e.amount) FILTER (WHERE t.created_at < ${to}) AS moved,
        sum(e.amount) FILTER (WHERE t.created_at >= ${to}) AS later
      FROM ledger_transactions t
      JOIN ledger_entries e ON e.transaction_id = t.id
      JOIN accounts a ON a.id = e.account_id
      WHERE t.created_at >= ${from}
      GROUP BY a.kind
    )
    SELECT held.kind AS account, held.held::bigint AS now,
      coalesce(since.moved, 0)::bigint AS moved, coalesce(since.later, 0)::bigint AS later
    FROM held LEFT JOIN since USING (kind)`.execute(db)
  return ACCOUNT_KINDS.map((account) => {
    const { now = 0, moved = 0, later = 0 } = rows.find((row) => row.account === account) ?? {}
    const closing = now - later
    return { account, opening: closing - moved, moved, closing }
  })
}
