import { type Kysely, sql } from 'kysely'
import type { Millimes } from '../../../rules/money.ts'
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
export interface Statement {
  readonly opening: Millimes
  readonly earned: Earned
  readonly paidOut: Millimes
  readonly closing: Millimes
  readonly documents: readonly DocumentEarned[]
  readonly paid: readonly { id: number; decidedAt: Date; amount: Millimes; reference: string }[]
}

interface StatementFilter {
  readonly teacherId: number
  /** `2026-11`, in Tunisia. */
  readonly month: string
}

/** How many documents a statement lists at most. */
const MOST_DOCUMENTS = 10_000

/** A teacher's statement of one month. */
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
    .select(['id', 'decidedAt', 'amount', 'reference'])
    .where('teacherId', '=', teacherId)
    .where('status', '=', 'paid')
    .where('decidedAt', '>=', span.from)
    .where('decidedAt', '<', span.to)
    .orderBy('decidedAt')
    .orderBy('id')
    .execute()
  const paid = payouts.map(({ id, decidedAt, amount, reference }) => ({
    id,
    amount,
    decidedAt: decidedAt ?? span.from,
    reference: reference ?? '',
  }))
  const paidOut = paid.reduce((sum, { amount }) => sum + amount, 0)
  const closing = opening + earned.share - earned.refunded - paidOut
  return { opening, earned, paidOut, closing, documents, paid }
}

/** The span of a month (`2026-11`) in Tunisia. */
export function spanOf(month: string): { from: Date; to: Date } {
  return { from: startOfMonth(month), to: startOfMonth(monthsAfter(month, 1)) }
}

/** A teacher's unpaid earnings at a moment, in millimes. */
export async function balanceBefore(
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

export interface StatementTotals {
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
