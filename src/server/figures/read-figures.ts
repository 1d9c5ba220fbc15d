import { type Kysely, sql } from 'kysely'
import type { FigurePoint, Figures, Owed, PeriodSums } from '../../contract/office-figures.ts'
import { DAY_MS } from '../../rules/durations.ts'
import type { Millimes } from '../../rules/money.ts'
import {
  chartOf,
  daysAfter,
  earlierOf,
  type Period,
  type PeriodUnit,
  periodBefore,
  periodOf,
  startOfDay,
  tunisianDay,
} from '../../rules/tunisia-time.ts'
import type { Schema } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { readSetting } from '../money/money.ts'
import { type DaySums, NO_SUMS, sumsByDay } from './day-sums.ts'

type Parts = Pick<Deps, 'database' | 'now' | 'visits'>

export interface FiguresFilter {
  readonly unit: PeriodUnit
  /** A day within the period; today by default. */
  readonly at?: string | undefined
}

export async function readFigures(parts: Parts, { unit, at }: FiguresFilter): Promise<Figures> {
  const { kysely } = parts.database
  const today = tunisianDay(new Date(parts.now()))
  const period = periodOf(unit, at ?? today)
  const before = periodBefore(unit, period, today)
  const chart = chartOf(unit, period)
  // Visits that this process has counted within the last minute are still in memory.
  await parts.visits.flush()
  const first = earlierOf(before.from, chart.from)
  const days = await sumsByDay(parts, { from: first, to: earlierOf(period.to, today) })
  const [sums, sumsBefore, owed] = await Promise.all([
    sumsOf(kysely, days, period),
    sumsOf(kysely, days, before),
    readOwed(kysely, parts.now()),
  ])
  const isRunning = period.from <= today && today <= period.to
  const points = pointsOf(days, chart, { unit, today })
  return { unit, period, isRunning, before, sums, sumsBefore, points, owed }
}

type Days = ReadonlyMap<string, DaySums>

function within(days: Days, { from, to }: Period): DaySums {
  const total = { ...NO_SUMS }
  for (const [day, sums] of days) {
    if (day < from || day > to) continue
    // Days that an earlier version summed, before there were codes, say nothing of them.
    for (const name of Object.keys(total) as (keyof DaySums)[]) total[name] += sums[name] ?? 0
  }
  return total
}

async function sumsOf(db: Kysely<Schema>, days: Days, period: Period): Promise<PeriodSums> {
  const { sold, refunded, shop, shopRefunded, ...sums } = within(days, period)
  const shops = shop - shopRefunded
  return {
    ...sums,
    gross: sold,
    refunds: refunded,
    shop: shops,
    teachers: sold - refunded - shops,
    ...(await buyersOf(db, period)),
    ...(await countsOf(db, period)),
  }
}

export const spanOf = ({ from, to }: Period) => ({
  begin: startOfDay(from),
  end: startOfDay(daysAfter(to, 1)),
})

async function buyersOf(db: Kysely<Schema>, period: Period) {
  const { begin, end } = spanOf(period)
  const { rows } = await sql<{ all: number; returning: number; ordered: number }>`
    WITH buyers AS (
      SELECT buyer_id FROM orders
      WHERE status = 'paid' AND total > 0 AND paid_at >= ${begin} AND paid_at < ${end}
      GROUP BY buyer_id
    )
    SELECT (SELECT count(*)::integer FROM buyers) AS "all",
      (SELECT count(*)::integer FROM buyers WHERE EXISTS (
        SELECT FROM orders o WHERE o.buyer_id = buyers.buyer_id AND o.status = 'paid'
          AND o.total > 0 AND o.paid_at < ${begin})) AS returning,
      (SELECT count(*)::integer FROM orders
        WHERE total > 0 AND created_at >= ${begin} AND created_at < ${end}) AS ordered`.execute(db)
  const { all = 0, returning = 0, ordered = 0 } = rows[0] ?? {}
  return { newBuyers: all - returning, returningBuyers: returning, ordered }
}

async function countsOf(db: Kysely<Schema>, { from, to }: Period) {
  const rows = await db
    .selectFrom('visitCounts')
    .select(['step', ({ fn }) => fn.sum<string>('count').as('count')])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy('step')
    .execute()
  const countOf = (step: string) => Number(rows.find((row) => row.step === step)?.count ?? 0)
  return { visits: countOf('visit'), details: countOf('details'), cart: countOf('cart') }
}

/** The days of a chart, or the months of a year, up to now. */
function pointsOf(
  days: Days,
  { from, to }: Period,
  { unit, today }: { unit: PeriodUnit; today: string },
): FigurePoint[] {
  const points: FigurePoint[] = []
  const last = earlierOf(to, today)
  for (let at = from; at <= last; ) {
    const span = periodOf(unit === 'year' ? 'month' : 'day', at)
    const { sold, refunded, card, bank_transfer, d17 } = within(days, span)
    points.push({ at, net: sold - refunded, topUps: card + bank_transfer + d17 })
    at = daysAfter(span.to, 1)
  }
  return points
}

/**
 * What the shop owes at a moment according to the ledger: `payable + held - overpaid` is the sum of
 * all teachers' accounts.
 */
async function readOwed(db: Kysely<Schema>, at: number): Promise<Owed> {
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
