import { type Kysely, type RawBuilder, sql } from 'kysely'
import { bareAmount } from '../../i18n/format.ts'
import { SALE_ACCOUNTS } from '../../rules/ledger.ts'
import type { Millimes } from '../../rules/money.ts'
import type { Schema } from '../database/schema.ts'

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
        SELECT order_id, sum(price - code_off) AS total FROM order_items GROUP BY order_id
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
        ON i.order_id = o.id AND i.document_id = p.document_id AND i.price - i.code_off = p.price
      WHERE i.order_id IS NULL
      ORDER BY p.id`),
    /** Orders whose refunded items differ from the refunds in the ledger, or are still granted by them. */
    wrongRefunds: await list(sql<{ orderId: number }>`
      WITH lines AS (
        SELECT i.order_id, sum(i.price - i.code_off) AS total, bool_or(p.id IS NOT NULL) AS is_granted
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
    /** Orders in which the items of a bundle do not sum to what the bundle cost. */
    wrongBundles: await list(sql<{ orderId: number }>`
      SELECT DISTINCT order_id AS "orderId" FROM (
        SELECT order_id FROM order_items WHERE bundle_id IS NOT NULL
        GROUP BY order_id, bundle_id
        HAVING sum(price) <> min(bundle_total) OR min(bundle_total) <> max(bundle_total)
      ) AS wrong ORDER BY 1`),
    /** Payouts that are paid and not booked at their amount, or booked and not paid. */
    wrongPayouts: await readWrongPayouts(db),
    /** Payments to the tax office that are not booked at their amount, out of what was withheld. */
    wrongTaxPayments: await list(sql<{ taxPaymentId: number }>`
      WITH booked AS (
        SELECT t.tax_payment_id AS id, a.kind, sum(e.amount) AS amount
        FROM ledger_entries e
        JOIN accounts a ON a.id = e.account_id
        JOIN ledger_transactions t ON t.id = e.transaction_id
        WHERE t.kind = 'tax_payment' OR a.kind = 'taxes'
        GROUP BY t.tax_payment_id, a.kind
      ), expected AS (
        SELECT id, 'withheld' AS kind, -amount AS amount FROM tax_payments
        UNION ALL
        SELECT id, 'taxes', amount FROM tax_payments
      )
      SELECT DISTINCT coalesce(x.id, b.id, 0) AS "taxPaymentId"
      FROM expected x FULL JOIN booked b ON b.id = x.id AND b.kind = x.kind
      WHERE x.amount IS DISTINCT FROM b.amount ORDER BY 1`),
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
    /** Numbers of invoices and credit notes that are missing in their year. */
    wrongInvoices: await list(sql<{ year: number; number: number }>`
      SELECT c.year, expected.number
      FROM invoice_counters c
      CROSS JOIN generate_series(1, c.last) AS expected (number)
      LEFT JOIN invoices i
        ON i.kind = c.kind AND i.year = c.year AND i.number = expected.number
      WHERE i.id IS NULL ORDER BY c.year, expected.number`),
  }
}

/** Whether the check found nothing wrong. */
export function isLedgerSound({ transactions: _, entries: __, ...lists }: LedgerReport): boolean {
  return Object.values(lists).every((list) => list.length === 0)
}

/** Orders whose items' shares differ from what the ledger has booked. */
async function readWrongShares(db: Kysely<Schema>): Promise<{ orderId: number }[]> {
  const { rows } = await sql<{ orderId: number }>`
    WITH shared AS (
      SELECT i.order_id, i.teacher_id, i.price, i.teacher_share, i.code_off, moved.kind
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
        UNION ALL
        SELECT order_id, kind, 'codes', NULL, -code_off FROM shared
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

/** Payouts that are not booked at their amount from the teacher's earnings to what was paid and withheld. */
async function readWrongPayouts(db: Kysely<Schema>): Promise<{ payoutId: number }[]> {
  const { rows } = await sql<{ payoutId: number }>`
    WITH booked AS (
      SELECT t.payout_id, a.kind, a.teacher_id, sum(e.amount) AS amount
      FROM ledger_entries e
      JOIN accounts a ON a.id = e.account_id
      JOIN ledger_transactions t ON t.id = e.transaction_id
      -- Nothing else moves these accounts, except what is paid to the tax office.
      WHERE t.kind = 'payout'
        OR (a.kind IN ('payouts', 'withheld') AND t.kind <> 'tax_payment')
      GROUP BY t.payout_id, a.kind, a.teacher_id
    ), expected AS (
      SELECT id AS payout_id, 'payouts' AS kind, NULL::integer AS teacher_id,
        amount - withheld AS amount
      FROM payouts WHERE status = 'paid'
      UNION ALL
      SELECT id, 'withheld', NULL, withheld FROM payouts WHERE status = 'paid' AND withheld > 0
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
async function readWrongAdjustments(db: Kysely<Schema>): Promise<{ adjustmentId: number }[]> {
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

const LABELS: Readonly<Record<Exclude<keyof LedgerReport, 'transactions' | 'entries'>, string>> = {
  unbalanced: 'Transactions that do not sum to zero',
  wrongBalances: 'Wallets whose balance is not the sum of their entries',
  wrongOrders: 'Paid orders whose total is not what the ledger took',
  wrongPayments: 'Payments that are paid and not booked, or booked and not paid',
  wrongGrants: 'Documents granted without a paid order',
  wrongRefunds: 'Orders whose refunded items are not what the ledger refunded',
  wrongShares: 'Orders whose items are shared otherwise than in the ledger',
  wrongBundles: 'Orders whose items of a bundle do not sum to its price',
  wrongPayouts: 'Payouts that are paid and not booked, or booked and not paid',
  wrongAdjustments: 'Adjustments that are made and not booked, or booked and not made',
  wrongTaxPayments: 'Payments to the tax office that are not booked at their amount',
  wrongReceipts: 'Receipt numbers that are missing or of unpaid orders',
  wrongInvoices: 'Numbers of invoices that are missing',
}

/** A wrong record in words, such as `account 12, balance 5.00 TND, sum 4.00 TND`. */
function described(record: Readonly<Record<string, number>>): string {
  return Object.entries(record)
    .map(([name, value]) => {
      const words = name
        .replace(/Id$/, '')
        .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
      return `${words} ${name === 'sum' || name === 'balance' ? bareAmount('en', value) : value}`
    })
    .join(', ')
}

/** The report as lines for people. */
export function ledgerLines(report: LedgerReport): string[] {
  const { transactions, entries, ...wrong } = report
  const counts = `${counted(transactions, 'transaction', 'transactions')}, ${counted(entries, 'entry', 'entries')}`
  if (isLedgerSound(report)) return [`The ledger is sound: ${counts}.`]
  const found = Object.entries(LABELS).flatMap(([name, label]) => {
    const list = wrong[name as keyof typeof wrong]
    return list.length === 0 ? [] : [`${label}: ${list.map(described).join('; ')}`]
  })
  return [`The ledger is WRONG: ${counts}.`, ...found]
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`
