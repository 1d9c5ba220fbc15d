import { type Kysely, sql } from 'kysely'
import type { HistoryEntry } from '../../contract/history-entry.ts'
import type { WaitingTopUp } from '../../contract/wallet.ts'
import { DAY_MS } from '../../rules/durations.ts'
import type { Millimes } from '../../rules/money.ts'
import { PAGE_SIZE_MAX } from '../../rules/pager.ts'
import type { Schema } from '../database/schema.ts'
import type { Deps } from '../deps.ts'

interface Row {
  id: number
  createdAt: Date
  kind: HistoryEntry['kind']
  amount: Millimes
  balanceAfter: Millimes
  orderId: number | null
  documents: { id: number; title: string }[] | null
}

interface HistoryPage {
  readonly content: HistoryEntry[]
  readonly total: number
}

/** A page of a wallet's movements, newest first, each with the balance after it. */
export async function walletHistory(
  db: Kysely<Schema>,
  { userId, page, size }: { userId: number; page: number; size: number },
): Promise<HistoryPage> {
  const { rows } = await sql<Row>`
    WITH own AS (
      SELECT e.id, e.transaction_id, e.amount,
        sum(e.amount) OVER (ORDER BY e.id)::bigint AS balance_after
      FROM ledger_entries e JOIN accounts a ON a.id = e.account_id
      WHERE a.user_id = ${userId}
    ), shown AS (
      SELECT * FROM own ORDER BY id DESC LIMIT ${size} OFFSET ${page * size}
    )
    SELECT s.id, t.created_at, t.kind, s.amount, s.balance_after, t.order_id,
      (SELECT json_agg(json_build_object('id', d.id, 'title', d.title) ORDER BY d.id)
        FROM order_items i JOIN documents d ON d.id = i.document_id
        WHERE i.order_id = t.order_id
          -- Items that are refunded together carry the time of their ledger transaction.
          AND (t.kind <> 'refund' OR i.refunded_at = t.created_at)) AS documents
    FROM shown s JOIN ledger_transactions t ON t.id = s.transaction_id
    ORDER BY s.id DESC`.execute(db)
  const counted = await sql<{ total: number }>`
    SELECT count(*)::integer AS total
    FROM ledger_entries e JOIN accounts a ON a.id = e.account_id
    WHERE a.user_id = ${userId}`.execute(db)
  return { content: rows.map(presentEntry), total: counted.rows[0]?.total ?? 0 }
}

/** How long a failed top-up is still shown. */
const SHOWN_MS = 7 * DAY_MS

/** Top-ups by transfer whose money has not arrived, and those that failed recently; newest first. */
export async function waitingTopUps(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  userId: number,
): Promise<WaitingTopUp[]> {
  const rows = await database.kysely
    .selectFrom('payments')
    .selectAll()
    .where('userId', '=', userId)
    .where('purpose', '=', 'top_up')
    .where('method', '<>', 'card')
    .where((row) =>
      row.or([
        row('status', '=', 'pending'),
        row.and([
          row('status', 'in', ['refused', 'expired']),
          row('createdAt', '>', new Date(now() - SHOWN_MS)),
        ]),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(PAGE_SIZE_MAX)
    .execute()
  return rows.map((row) => ({
    paymentRef: row.reference,
    method: row.method as WaitingTopUp['method'],
    state: row.status as WaitingTopUp['state'],
    amount: row.amount,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    paymentUrl: row.status === 'pending' ? row.payUrl : null,
  }))
}

function presentEntry(row: Row): HistoryEntry {
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    kind: row.kind,
    amount: row.amount,
    balanceAfter: row.balanceAfter,
    orderId: row.orderId,
    documents: row.documents ?? [],
  }
}
