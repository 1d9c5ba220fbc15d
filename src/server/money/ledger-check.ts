import { type Kysely, sql } from 'kysely'
import type { Millimes } from '../../rules/money.ts'
import type { Schema } from '../database/schema.ts'
import { readWrongAdjustments, readWrongPayouts, readWrongShares } from './books-check.ts'

/** What `checkLedger` found; all lists are empty in a ledger that is right. */
export interface LedgerReport {
  readonly transactions: number
  readonly entries: number
  /** Transactions whose entries do not sum to zero, or that have none. */
  readonly unbalanced: { transactionId: number; sum: Millimes }[]
  /** Wallets whose kept balance is not the sum of their entries, or is below 0. */
  readonly wrongBalances: { accountId: number; balance: Millimes; sum: Millimes }[]
  /** Paid orders whose total is not the sum of their items, or not what the ledger took. */
  readonly wrongOrders: { orderId: number }[]
  /** Payments that are paid and not booked once at their amount, or booked and not paid. */
  readonly wrongPayments: { paymentId: number }[]
  /** Grants without a paid order that holds the document at the price that the grant says. */
  readonly wrongGrants: { userId: number; documentId: number }[]
  /** Orders whose refunded items are not what the ledger gave back, or are still granted by them. */
  readonly wrongRefunds: { orderId: number }[]
  /** Orders whose items are not shared as the ledger has it, at the sale or at the refund. */
  readonly wrongShares: { orderId: number }[]
  /** Payouts that are paid and not booked at their amount, or booked and not paid. */
  readonly wrongPayouts: { payoutId: number }[]
  /** Adjustments that are made and not booked at their amount, or booked and not made. */
  readonly wrongAdjustments: { adjustmentId: number }[]
  /** Numbers that are left out, and those of orders that are not paid. */
  readonly wrongReceipts: { number: number }[]
}

/** Recomputes the whole ledger from its entries and compares. */
export async function checkLedger(db: Kysely<Schema>): Promise<LedgerReport> {
  const counts = await sql<{ transactions: number; entries: number }>`
    SELECT (SELECT count(*)::integer FROM ledger_transactions) AS transactions,
      (SELECT count(*)::integer FROM ledger_entries) AS entries`.execute(db)
  const unbalanced = await sql<{ transactionId: number; sum: Millimes }>`
    SELECT t.id AS "transactionId", coalesce(sum(e.amount), 0)::bigint AS sum
    FROM ledger_transactions t LEFT JOIN ledger_entries e ON e.transaction_id = t.id
    GROUP BY t.id HAVING count(e.id) = 0 OR sum(e.amount) <> 0
    ORDER BY t.id`.execute(db)
  const wrongBalances = await sql<{ accountId: number; balance: Millimes; sum: Millimes }>`
    SELECT a.id AS "accountId", a.balance, coalesce(sum(e.amount), 0)::bigint AS sum
    FROM accounts a LEFT JOIN ledger_entries e ON e.account_id = a.id
    WHERE a.balance IS NOT NULL
    GROUP BY a.id HAVING a.balance <> coalesce(sum(e.amount), 0) OR a.balance < 0
    ORDER BY a.id`.execute(db)
  const wrongOrders = await sql<{ orderId: number }>`
    WITH lines AS (
      SELECT order_id, sum(price) AS total FROM order_items GROUP BY order_id
    ), taken AS (
      SELECT t.order_id, sum(e.amount) AS total
      FROM ledger_transactions t
      JOIN ledger_entries e ON e.transaction_id = t.id
      JOIN accounts a ON a.id = e.account_id
      WHERE t.kind = 'purchase' AND a.kind IN ('teacher_sales', 'teacher_earnings', 'revenue')
      GROUP BY t.order_id
    )
    SELECT o.id AS "orderId"
    FROM orders o
    LEFT JOIN lines ON lines.order_id = o.id
    LEFT JOIN taken ON taken.order_id = o.id
    WHERE o.status = 'paid'
      AND (o.total <> coalesce(lines.total, 0) OR o.total <> coalesce(taken.total, 0))
    ORDER BY o.id`.execute(db)
  // Against the gateway's account, which nothing else moves: money in is what payments brought.
  const wrongPayments = await sql<{ paymentId: number }>`
    WITH booked AS (
      SELECT t.payment_id, sum(e.amount) AS amount
      FROM ledger_entries e
      JOIN accounts a ON a.id = e.account_id AND a.kind = 'gateway'
      JOIN ledger_transactions t ON t.id = e.transaction_id
      GROUP BY t.payment_id
    )
    SELECT coalesce(p.id, b.payment_id, 0) AS "paymentId"
    FROM (SELECT id, amount FROM payments WHERE status = 'paid') AS p
    FULL JOIN booked b ON b.payment_id = p.id
    WHERE p.amount IS NULL OR b.amount IS NULL OR p.amount + b.amount <> 0
    ORDER BY 1`.execute(db)
  const wrongGrants = await sql<{ userId: number; documentId: number }>`
    SELECT p.user_id AS "userId", p.document_id AS "documentId"
    FROM purchases p
    LEFT JOIN orders o ON o.id = p.order_id AND o.buyer_id = p.user_id AND o.status = 'paid'
    LEFT JOIN order_items i
      ON i.order_id = o.id AND i.document_id = p.document_id AND i.price = p.price
    WHERE i.order_id IS NULL
    ORDER BY p.id`.execute(db)
  const wrongRefunds = await sql<{ orderId: number }>`
    WITH lines AS (
      SELECT i.order_id, sum(i.price) AS total, bool_or(p.id IS NOT NULL) AS is_granted
      FROM order_items i
      LEFT JOIN purchases p ON p.order_id = i.order_id AND p.document_id = i.document_id
      WHERE i.refunded_at IS NOT NULL
      GROUP BY i.order_id
    ), given AS (
      SELECT t.order_id, sum(e.amount) AS total
      FROM ledger_transactions t
      JOIN ledger_entries e ON e.transaction_id = t.id
      JOIN accounts a ON a.id = e.account_id
      WHERE t.kind = 'refund' AND a.kind = 'customer' AND t.order_id IS NOT NULL
      GROUP BY t.order_id
    )
    SELECT order_id AS "orderId"
    FROM lines FULL JOIN given USING (order_id)
    WHERE coalesce(lines.total, 0) <> coalesce(given.total, 0) OR lines.is_granted
    ORDER BY order_id`.execute(db)
  const wrongShares = await readWrongShares(db)
  const wrongPayouts = await readWrongPayouts(db)
  const wrongAdjustments = await readWrongAdjustments(db)
  const wrongReceipts = await sql<{ number: number }>`
    SELECT expected.number
    FROM generate_series(1, (SELECT max(number) FROM receipts)) AS expected (number)
    LEFT JOIN receipts r ON r.number = expected.number
    LEFT JOIN orders o ON o.id = r.order_id
    WHERE o.status IS DISTINCT FROM 'paid'
    ORDER BY expected.number`.execute(db)
  return {
    transactions: counts.rows[0]?.transactions ?? 0,
    entries: counts.rows[0]?.entries ?? 0,
    unbalanced: unbalanced.rows,
    wrongBalances: wrongBalances.rows,
    wrongOrders: wrongOrders.rows,
    wrongPayments: wrongPayments.rows,
    wrongGrants: wrongGrants.rows,
    wrongRefunds: wrongRefunds.rows,
    wrongShares,
    wrongPayouts,
    wrongAdjustments,
    wrongReceipts: wrongReceipts.rows,
  }
}

/** Whether the check found nothing wrong. */
export function isLedgerSound({ transactions: _, entries: __, ...lists }: LedgerReport): boolean {
  return Object.values(lists).every((list) => list.length === 0)
}
