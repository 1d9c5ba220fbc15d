import { type Kysely, sql } from 'kysely'
import type { Locale } from '../../../i18n/locales.ts'
import { TEXTS } from '../../../i18n/texts.ts'
import { type Cell, csvTable } from '../../../rules/csv.ts'
import { inDinars, type Millimes } from '../../../rules/money.ts'
import { monthsAfter, startOfMonth, TUNISIA, tunisianMonth } from '../../../rules/tunisia-time.ts'
import type { Schema } from '../../database/schema.ts'
import {
  type DocumentEarned,
  type Earned,
  earnedByDocument,
  earnedByTime,
  earnedWithin,
} from './earned.ts'

/** A moment before the shop's first sale. */
const BEFORE_ALL = new Date(0)

/** A month's statement: `opening + share − refunded − paidOut = closing`. */
interface Statement {
  readonly opening: Millimes
  readonly earned: Earned
  readonly paidOut: Millimes
  /** The part of `paidOut` that was withheld for the tax office. */
  readonly withheld: Millimes
  readonly closing: Millimes
  readonly documents: readonly DocumentEarned[]
  readonly paid: readonly {
    id: number
    decidedAt: Date
    amount: Millimes
    withheld: Millimes
    reference: string
    taxNumber: string
  }[]
}

interface StatementFilter {
  readonly teacherId: number
  /** `2026-11`, in Tunisia. */
  readonly month: string
}

/** How many documents a statement lists at most. */
const MOST_DOCUMENTS = 10_000

export async function readStatement(
  db: Kysely<Schema>,
  { teacherId, month }: StatementFilter,
): Promise<Statement> {
  const span = spanOf(month)
  const opening = await balanceBefore(db, teacherId, span.from)
  const earned = await earnedWithin(db, { teacherId, ...span })
  const { documents } = await earnedByDocument(db, {
    teacherId,
    ...span,
    sort: '-share',
    page: 0,
    size: MOST_DOCUMENTS,
  })
  const payouts = await db
    .selectFrom('payouts')
    .select(['id', 'decidedAt', 'amount', 'withheld', 'reference', 'taxNumber'])
    .where('teacherId', '=', teacherId)
    .where('status', '=', 'paid')
    .where('decidedAt', '>=', span.from)
    .where('decidedAt', '<', span.to)
    .orderBy('decidedAt')
    .orderBy('id')
    .execute()
  const paid = payouts.map(({ decidedAt, reference, ...payout }) => ({
    ...payout,
    decidedAt: decidedAt ?? span.from,
    reference: reference ?? '',
  }))
  const paidOut = paid.reduce((sum, { amount }) => sum + amount, 0)
  const withheld = paid.reduce((sum, payout) => sum + payout.withheld, 0)
  const closing = opening + earned.share - earned.refunded - paidOut
  return { opening, earned, paidOut, withheld, closing, documents, paid }
}

/** The span of a month (`2026-11`) in Tunisia. */
function spanOf(month: string): { from: Date; to: Date } {
  return { from: startOfMonth(month), to: startOfMonth(monthsAfter(month, 1)) }
}

/** A teacher's unpaid earnings at a moment, in millimes. */
async function balanceBefore(
  db: Kysely<Schema>,
  teacherId: number,
  moment: Date,
): Promise<Millimes> {
  const { share, refunded } = await earnedWithin(db, { teacherId, from: BEFORE_ALL, to: moment })
  const { rows } = await sql<{ sum: Millimes }>`
    SELECT coalesce(sum(amount), 0)::bigint AS sum FROM payouts
    WHERE teacher_id = ${teacherId} AND status = 'paid' AND decided_at < ${moment}`.execute(db)
  return share - refunded - (rows[0]?.sum ?? 0)
}

interface StatementTotals {
  readonly month: string
  readonly earned: Millimes
  readonly closing: Millimes
}

/** The monthly totals since the first shared sale, newest first; empty before it. */
export async function statementsOf(
  db: Kysely<Schema>,
  { teacherId, at }: { teacherId: number; at: number },
): Promise<StatementTotals[]> {
  const { rows: first } = await sql<{ at: Date | null }>`
    SELECT min(sold_at) AS at FROM order_items
    WHERE teacher_id = ${teacherId} AND price > 0 AND teacher_share IS NOT NULL`.execute(db)
  const since = first[0]?.at
  if (!since) return []
  const { from } = spanOf(tunisianMonth(since))
  const { to } = spanOf(tunisianMonth(new Date(at)))
  const months = await earnedByTime(db, { teacherId, unit: 'month', from, to })
  const { rows: payouts } = await sql<{ month: string; amount: Millimes }>`
    SELECT to_char(decided_at AT TIME ZONE ${TUNISIA}, 'YYYY-MM') AS month,
      sum(amount)::bigint AS amount
    FROM payouts WHERE teacher_id = ${teacherId} AND status = 'paid' GROUP BY 1`.execute(db)
  const paidIn = new Map(payouts.map(({ month, amount }) => [month, amount]))
  let closing = 0
  const totals = months.map((point) => {
    const month = point.at.slice(0, 7)
    const earned = point.share - point.refunded
    closing += earned - (paidIn.get(month) ?? 0)
    return { month, earned, closing }
  })
  return totals.reverse()
}

interface Line {
  /** In Tunisia's time: `2026-11-22 14:30`. */
  readonly at: string
  readonly kind: 'sale' | 'refund' | 'payout' | 'withheld'
  /** The order, or the payout. */
  readonly number: number
  /** The document's title, or the bank transfer's reference, with the tax number if tax is withheld. */
  readonly what: string
  readonly price: Millimes | null
  /** Before a code of the teacher. */
  readonly priceBefore: Millimes | null
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
      columns.priceBefore,
      columns.price,
      columns.amount,
      columns.balance,
    ],
    ['', opening, null, '', null, null, null, inDinars(balance)],
  ]
  for (const line of await readLines(db, { teacherId, from, to })) {
    balance += line.amount
    rows.push([
      line.at,
      kinds[line.kind],
      line.number,
      line.what,
      ...[line.priceBefore, line.price].map((price) => (price === null ? null : inDinars(price))),
      inDinars(line.amount),
      inDinars(balance),
    ])
  }
  rows.push(['', closing, null, '', null, null, null, inDinars(balance)])
  return csvTable(rows)
}

async function readLines(
  db: Kysely<Schema>,
  { teacherId, from, to }: { teacherId: number; from: Date; to: Date },
): Promise<Line[]> {
  const { rows } = await sql<Line>`
    WITH lines AS (
      SELECT sold_at AS at, 1 AS step, 'sale' AS kind, order_id AS number, document_id, '' AS what,
        price, price_before, teacher_share AS amount
      FROM order_items
      WHERE teacher_id = ${teacherId} AND price > 0 AND teacher_share IS NOT NULL
        AND sold_at >= ${from} AND sold_at < ${to}
      UNION ALL
      SELECT refunded_at, 2, 'refund', order_id, document_id, '', -price, -price_before,
        -teacher_share
      FROM order_items
      WHERE teacher_id = ${teacherId} AND price > 0 AND teacher_share IS NOT NULL
        AND refunded_at >= ${from} AND refunded_at < ${to}
      UNION ALL
      SELECT decided_at, part.step, part.kind, id, NULL, part.what, NULL, NULL, -part.amount
      FROM payouts CROSS JOIN LATERAL (
        VALUES (3, 'payout', reference, amount - withheld),
          (4, 'withheld', concat_ws(' · ', reference, nullif(tax_number, '')), withheld)
      ) AS part (step, kind, what, amount)
      WHERE teacher_id = ${teacherId} AND status = 'paid' AND part.amount > 0
        AND decided_at >= ${from} AND decided_at < ${to}
    )
    SELECT to_char(l.at AT TIME ZONE ${TUNISIA}, 'YYYY-MM-DD HH24:MI') AS at, l.kind, l.number,
      coalesce(d.title, l.what) AS what, l.price, l.price_before, l.amount
    FROM lines l LEFT JOIN documents d ON d.id = l.document_id
    ORDER BY l.at, l.step, l.number, l.document_id`.execute(db)
  return rows
}
