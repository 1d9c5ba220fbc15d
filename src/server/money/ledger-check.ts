import { type Kysely, type RawBuilder, sql } from 'kysely'
import { SALE_ACCOUNTS } from '../../rules/ledger.ts'
import type { Millimes } from '../../rules/money.ts'
import type { Schema } from '../database/schema.ts'
import { readWrongAdjustments, readWrongPayouts, readWrongShares } from './books-check.ts'

/** What `checkLedger` found; all lists are empty in a ledger that is right. */
export type LedgerReport = Awaited<ReturnType<typeof checkLedger>>

/** Recomputes balances, orders, payments and receipts from the ledger's entries and compares them. */
export async function checkLedger(db: Kysely<Schema>) {
  const list = async <Row>(query: RawBuilder<Row>) => (await query.execute(db)).rows
  const [counts] = await list(sql<{ transactions: number; entries: number }>`
    SELECT (SELECT count(*)::integer FROM ledger_transactions) AS transactions,
      (SELECT count(*)::integer FROM ledger_entries) AS entries`)
  return {
    transactions: counts?.transactions ?? 0,
    entries: counts?.entries ?? 0,
    /** Transactions whose entries do not sum to zero, or that have none. */
    unbalanced: await list(sql<{ transactionId: number; sum: Millimes }>`
      SELECT t.id AS "transactionId", coalesce(sum(e.amount), 0)::bigint AS sum
      FROM ledger_transactions t LEFT JOIN ledger_entries e ON e.transaction_id = t.id
      GROUP BY t.id HAVING count(e.id) = 0 OR sum(e.amount) <> 0
      ORDER BY t.id`),
    /** Wallets whose stored balance is not the sum of their entries, or is below 0. */
    wrongBalances: await list(sql<{ accountId: number; balance: Millimes; sum: Millimes }>`
      SELECT a.id AS "accountId", a.balance, coalesce(sum(e.amount), 0)::bigint AS sum
      FROM accounts a LEFT JOIN ledger_entries e ON e.account_id = a.id
      WHERE a.balance IS NOT NULL
      GROUP BY a.id HAVING a.balance <> coalesce(sum(e.amount), 0) OR a.balance < 0
      ORDER BY a.id`),
    /** Paid orders whose total is not the sum of their items, or differs from the sum in the ledger. */
    wrongOrders: await list(sql<{ orderId: number }>`
      WITH lines AS (
        SELECT order_id, sum(price) AS total FROM order_items GROUP BY order_id
      ), taken AS (
        SELECT t.order_id, sum(e.amount) AS total
        FROM ledger_transactions t
        JOIN ledger_entries e ON e.transaction_id = t.id
        JOIN accounts a ON a.id = e.account_id
        WHERE t.kind = 'purchase' AND a.kind = ANY (${SALE_ACCOUNTS}::text[])
        GROUP BY t.order_id
      )
      SELECT o.id AS "orderId"
      FROM orders o
      LEFT JOIN lines ON lines.order_id = o.id
      LEFT JOIN taken ON taken.order_id = o.id
      WHERE o.status = 'paid'
        AND (o.total <> coalesce(lines.total, 0) OR o.total <> coalesce(taken.total, 0))
      ORDER BY o.id`),
    /** Payments that are paid and not booked once at their amount, or booked and not paid. */
    // Compared with the gateway's account, which only payments move.
    wrongPayments: await list(sql<{ paymentId: number }>`
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
      ORDER BY 1`),
    /** Grants without a paid order that holds the document at the price that the grant says. */
    wrongGrants: await list(sql<{ userId: number; documentId: number }>`
      SELECT p.user_id AS "userId", p.document_id AS "documentId"
      FROM purchases p
      LEFT JOIN orders o ON o.id = p.order_id AND o.buyer_id = p.user_id AND o.status = 'paid'
      LEFT JOIN order_items i
        ON i.order_id = o.id AND i.document_id = p.document_id AND i.price = p.price
      WHERE i.order_id IS NULL
      ORDER BY p.id`),
    /** Orders whose refunded items differ from the refunds in the ledger, or are still granted by them. */
    wrongRefunds: await list(sql<{ orderId: number }>`
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
      ORDER BY order_id`),
    /** Orders whose items' shares differ from those in the ledger, at the sale or at the refund. */
    wrongShares: await readWrongShares(db),
    /** Payouts that are paid and not booked at their amount, or booked and not paid. */
    wrongPayouts: await readWrongPayouts(db),
    /** Adjustments that are made and not booked at their amount, or booked and not made. */
    wrongAdjustments: await readWrongAdjustments(db),
    /** Receipt numbers that are missing, or belong to an order that is not paid. */
    wrongReceipts: await list(sql<{ number: number }>`
      SELECT expected.number
      FROM generate_series(1, (SELECT max(number) FROM receipts)) AS expected (number)
      LEFT JOIN receipts r ON r.number = expected.number
      LEFT JOIN orders o ON o.id = r.order_id
      WHERE o.status IS DISTINCT FROM 'paid'
      ORDER BY expected.number`),
  }
}

/** Whether the check found nothing wrong. */
export function isLedgerSound({ transactions: _, entries: __, ...lists }: LedgerReport): boolean {
  return Object.values(lists).every((list) => list.length === 0)
}
