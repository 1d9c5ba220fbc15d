import { type Kysely, sql } from 'kysely'
import type { Locale } from '../../../i18n/locales.ts'
import { TEXTS } from '../../../i18n/texts.ts'
import { type Cell, csvTable } from '../../../rules/csv.ts'
import { inDinars, type Millimes } from '../../../rules/money.ts'
import { TUNISIA } from '../../../rules/tunisia-time.ts'
import type { Schema } from '../../database/schema.ts'
import { balanceBefore, spanOf } from './statements.ts'

interface Line {
  /** In Tunisia's time: `2026-11-22 14:30`. */
  readonly at: string
  readonly kind: 'sale' | 'refund' | 'payout'
  /** The order, or the payout. */
  readonly number: number
  /** The document's title, or the reference of the bank transfer. */
  readonly what: string
  readonly price: Millimes | null
  /** The change of the balance; negative for a loss. */
  readonly amount: Millimes
}

/** A month's statement as CSV, line by line with the balance after each. */
export async function statementCsv(
  db: Kysely<Schema>,
  { teacherId, month, locale }: { teacherId: number; month: string; locale: Locale },
): Promise<string> {
  const { opening, closing, kinds, columns } = TEXTS[locale]['office-statement']
  const { from, to } = spanOf(month)
  let balance = await balanceBefore(db, teacherId, from)
  const rows: Cell[][] = [
    [
      columns.date,
      columns.kind,
      columns.number,
      columns.what,
      columns.price,
      columns.amount,
      columns.balance,
    ],
    ['', opening, null, '', null, null, inDinars(balance)],
  ]
  for (const line of await readLines(db, { teacherId, from, to })) {
    balance += line.amount
    rows.push([
      line.at,
      kinds[line.kind],
      line.number,
      line.what,
      line.price === null ? null : inDinars(line.price),
      inDinars(line.amount),
      inDinars(balance),
    ])
  }
  rows.push(['', closing, null, '', null, null, inDinars(balance)])
  return csvTable(rows)
}

async function readLines(
  db: Kysely<Schema>,
  { teacherId, from, to }: { teacherId: number; from: Date; to: Date },
): Promise<Line[]> {
  const { rows } = await sql<Line>`
    WITH lines AS (
      SELECT sold_at AS at, 1 AS step, 'sale' AS kind, order_id AS number, document_id, '' AS what,
        price, teacher_share AS amount
      FROM order_items
      WHERE teacher_id = ${teacherId} AND price > 0 AND teacher_share IS NOT NULL
        AND sold_at >= ${from} AND sold_at < ${to}
      UNION ALL
      SELECT refunded_at, 2, 'refund', order_id, document_id, '', -price, -teacher_share
      FROM order_items
      WHERE teacher_id = ${teacherId} AND price > 0 AND teacher_share IS NOT NULL
        AND refunded_at >= ${from} AND refunded_at < ${to}
      UNION ALL
      SELECT decided_at, 3, 'payout', id, NULL, reference, NULL, -amount FROM payouts
      WHERE teacher_id = ${teacherId} AND status = 'paid'
        AND decided_at >= ${from} AND decided_at < ${to}
    )
    SELECT to_char(l.at AT TIME ZONE ${TUNISIA}, 'YYYY-MM-DD HH24:MI') AS at, l.kind, l.number,
      coalesce(d.title, l.what) AS what, l.price, l.amount
    FROM lines l LEFT JOIN documents d ON d.id = l.document_id
    ORDER BY l.at, l.step, l.number, l.document_id`.execute(db)
  return rows
}
