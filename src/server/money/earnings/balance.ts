import { type Kysely, sql } from 'kysely'
import { DAY_MS } from '../../../rules/durations.ts'
import type { Millimes } from '../../../rules/money.ts'
import { TUNISIA } from '../../../rules/tunisia-time.ts'
import type { Schema } from '../../database/schema.ts'
import { readSetting } from '../settings.ts'

/** A teacher's unpaid earnings, and how much of them can be paid out. */
export interface Balance {
  /** Below 0 if a refund came after a payout. */
  readonly balance: Millimes
  readonly available: Millimes
  readonly held: Millimes
  /** The parts of `held` by the day (`2026-11-22`) from which they may be paid out, soonest first. */
  readonly releases: { day: string; amount: Millimes }[]
  readonly heldUntil: Date | null
  readonly requested: Millimes
  readonly paidOut: Millimes
}

interface HeldRow {
  readonly day: string
  readonly amount: Millimes
  readonly last: Date
}

export async function readBalance(
  db: Kysely<Schema>,
  { teacherId, at }: { teacherId: number; at: number },
): Promise<Balance> {
  const holdMs = (await readSetting(db, 'hold_days')) * DAY_MS
  const { rows: totals } = await sql<{ earned: Millimes; paidOut: Millimes; requested: Millimes }>`
    SELECT
      (SELECT coalesce(sum(teacher_share), 0)::bigint FROM order_items
        WHERE teacher_id = ${teacherId} AND price > 0 AND refunded_at IS NULL) AS earned,
      coalesce(sum(amount) FILTER (WHERE status = 'paid'), 0)::bigint AS paid_out,
      coalesce(sum(amount) FILTER (WHERE status = 'requested'), 0)::bigint AS requested
    FROM payouts WHERE teacher_id = ${teacherId}`.execute(db)
  const { rows: held } = await sql<HeldRow>`
    SELECT to_char((sold_at + ${holdMs} * interval '1 millisecond') AT TIME ZONE ${TUNISIA},
        'YYYY-MM-DD') AS day,
      sum(teacher_share)::bigint AS amount, max(sold_at) AS last
    FROM order_items
    WHERE teacher_id = ${teacherId} AND price > 0 AND refunded_at IS NULL AND teacher_share > 0
      AND sold_at > ${new Date(at - holdMs)}
    GROUP BY 1 ORDER BY 1`.execute(db)
  const { earned = 0, paidOut = 0, requested = 0 } = totals[0] ?? {}
  const heldSum = held.reduce((sum, { amount }) => sum + amount, 0)
  const balance = earned - paidOut
  const last = held.at(-1)?.last
  return {
    balance,
    available: Math.max(0, balance - heldSum - requested),
    held: heldSum,
    releases: held.map(({ day, amount }) => ({ day, amount })),
    heldUntil: last ? new Date(last.getTime() + holdMs) : null,
    requested,
    paidOut,
  }
}
