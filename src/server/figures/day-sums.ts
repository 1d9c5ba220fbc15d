import { type Kysely, sql } from 'kysely'
import type { Millimes } from '../../rules/money.ts'
import { daysAfter, startOfDay, TUNISIA, tunisianDay } from '../../rules/tunisia-time.ts'
import type { Schema } from '../database/schema.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'

/** The sums of the ledger for a day, and the documents sold on it. */
export interface DaySums {
  readonly orders: number
  readonly documents: number
  readonly sold: Millimes
  /** The shop's share of `sold`. */
  readonly shop: Millimes
  readonly refunded: Millimes
  readonly shopRefunded: Millimes
  /** What codes of the shop took off, less what refunds took back; a part of the shop's share. */
  readonly codes: Millimes
  readonly card: Millimes
  readonly bank_transfer: Millimes
  readonly d17: Millimes
}

export const NO_SUMS: DaySums = {
  orders: 0,
  documents: 0,
  sold: 0,
  shop: 0,
  refunded: 0,
  shopRefunded: 0,
  codes: 0,
  card: 0,
  bank_transfer: 0,
  d17: 0,
}

/** How many days one transaction sums. */
const SUMMED_AT_ONCE = 31

type Parts = Pick<Deps, 'database' | 'now'>

/**
 * The sums of a range of days, by day; days on which no money moved may be missing. The sums of
 * days that are over are computed once and stored, those of other days at each call.
 */
export async function sumsByDay(
  parts: Parts,
  { from, to }: { from: string; to: string },
): Promise<ReadonlyMap<string, DaySums>> {
  const { kysely } = parts.database
  const end = await keepSums(parts, { from, to })
  const kept = await kysely
    .selectFrom('figureDays')
    .select(['day', 'sums'])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('day', '<', end)
    .execute()
  const live = to < end ? new Map() : await readSums(kysely, { from: from < end ? end : from, to })
  const sums = new Map([
    ...kept.map(({ day, sums }) => [day, sums as DaySums | null] as const),
    ...live,
  ])
  for (const [day, found] of sums) {
    // The stored sums were deleted meanwhile, since something was booked on that day.
    if (!found) sums.set(day, (await readSums(kysely, { from: day, to: day })).get(day) ?? NO_SUMS)
  }
  return sums as Map<string, DaySums>
}

/**
 * Stores the missing sums of days that are over. A timed task calls it, so that no reader waits for
 * it.
 */
export async function keepAllSums(parts: Parts): Promise<void> {
  await keepSums(parts, { from: '2000-01-01', to: tunisianDay(new Date(parts.now())) })
}

/**
 * Stores the missing sums of days that are over; returns the first day that is not over. A day is
 * over two hours after the midnight that ends it: transactions that began on it are booked by then.
 * The database deletes the stored sums of a day on which something is booked later.
 */
async function keepSums(
  { database }: Parts,
  { from, to }: { from: string; to: string },
): Promise<string> {
  const { rows: bounds } = await sql<{ first: string | null; end: string }>`
    SELECT (SELECT to_char(min(created_at) AT TIME ZONE ${TUNISIA}, 'YYYY-MM-DD')
        FROM ledger_transactions) AS first,
      to_char((now() - interval '2 hours') AT TIME ZONE ${TUNISIA}, 'YYYY-MM-DD') AS "end"`.execute(
    database.kysely,
  )
  const { first = null, end = from } = bounds[0] ?? {}
  if (first === null) return end
  const start = from > first ? from : first
  const last = to < end ? to : daysAfter(end, -1)
  if (start > last) return end
  const { rows: missing } = await sql<{ day: string }>`
    SELECT to_char(days.at, 'YYYY-MM-DD') AS day
    FROM generate_series(${start}::timestamp, ${last}::timestamp, interval '1 day') AS days (at)
    LEFT JOIN figure_days f ON f.day = to_char(days.at, 'YYYY-MM-DD')
    WHERE f.sums IS NULL ORDER BY 1`.execute(database.kysely)
  for (let at = 0; at < missing.length; at += SUMMED_AT_ONCE) {
    const days = missing.slice(at, at + SUMMED_AT_ONCE).map(({ day }) => day)
    await transaction(database, (tx) => keepDays(tx, days))
  }
  return end
}

/**
 * Stores the days' sums. Locks their rows first, so that this and a booking on one of the days wait
 * for each other.
 */
async function keepDays(tx: Tx, days: readonly string[]): Promise<void> {
  await sql`
    INSERT INTO figure_days (day) SELECT day FROM unnest(${[...days]}::text[]) AS d (day) ORDER BY day
    ON CONFLICT (day) DO NOTHING`.execute(tx)
  const { rows } = await sql<{ day: string }>`
    SELECT day FROM figure_days WHERE day = ANY (${[...days]}::text[]) AND sums IS NULL
    ORDER BY day FOR UPDATE`.execute(tx)
  const [first] = rows
  const last = rows.at(-1)
  if (!first || !last) return
  const sums = await readSums(tx, { from: first.day, to: last.day })
  await sql`
    UPDATE figure_days SET sums = found.sums
    FROM unnest(
      ${rows.map(({ day }) => day)}::text[],
      ${rows.map(({ day }) => JSON.stringify(sums.get(day) ?? NO_SUMS))}::jsonb[]
    ) AS found (day, sums)
    WHERE figure_days.day = found.day`.execute(tx)
}

/** Reads the sums from the ledger, by day. */
async function readSums(
  db: Kysely<Schema>,
  { from, to }: { from: string; to: string },
): Promise<Map<string, DaySums>> {
  const [begin, end] = [startOfDay(from), startOfDay(daysAfter(to, 1))]
  const { rows } = await sql<{ day: string } & DaySums>`
    WITH moved AS (
      SELECT t.kind, t.payment_id, t.created_at,
        sum(e.amount) FILTER (WHERE a.kind <> 'customer' AND a.kind <> 'gateway') AS sold,
        sum(e.amount) FILTER (WHERE a.kind IN ('revenue', 'codes')) AS shop,
        sum(-e.amount) FILTER (WHERE a.kind = 'codes') AS codes,
        sum(e.amount) FILTER (WHERE a.kind = 'customer') AS wallet
      FROM ledger_transactions t
      JOIN ledger_entries e ON e.transaction_id = t.id
      JOIN accounts a ON a.id = e.account_id
      WHERE t.created_at >= ${begin} AND t.created_at < ${end}
        AND t.kind IN ('purchase', 'refund', 'top_up')
      GROUP BY t.id
    ), booked AS (
      SELECT to_char(m.created_at AT TIME ZONE ${TUNISIA}, 'YYYY-MM-DD') AS day,
        -- A code of the shop may leave nothing to pay.
        count(*) FILTER (WHERE m.kind = 'purchase' AND m.sold > 0) AS orders,
        sum(m.sold) FILTER (WHERE m.kind = 'purchase') AS sold,
        sum(m.shop) FILTER (WHERE m.kind = 'purchase') AS shop,
        sum(-m.sold) FILTER (WHERE m.kind = 'refund') AS refunded,
        sum(-m.shop) FILTER (WHERE m.kind = 'refund') AS shop_refunded,
        sum(m.codes) AS codes,
        sum(m.wallet) FILTER (WHERE m.kind = 'top_up' AND p.method = 'card') AS card,
        sum(m.wallet) FILTER (WHERE m.kind = 'top_up' AND p.method = 'bank_transfer') AS transfer,
        sum(m.wallet) FILTER (WHERE m.kind = 'top_up' AND p.method = 'd17') AS d17
      FROM moved m LEFT JOIN payments p ON p.id = m.payment_id
      GROUP BY 1
    ), items AS (
      SELECT to_char(sold_at AT TIME ZONE ${TUNISIA}, 'YYYY-MM-DD') AS day, count(*) AS documents
      FROM order_items WHERE price > code_off AND sold_at >= ${begin} AND sold_at < ${end}
      GROUP BY 1
    )
    SELECT day, coalesce(orders, 0)::integer AS orders,
      coalesce(documents, 0)::integer AS documents,
      coalesce(sold, 0)::bigint AS sold, coalesce(shop, 0)::bigint AS shop,
      coalesce(refunded, 0)::bigint AS refunded,
      coalesce(shop_refunded, 0)::bigint AS shop_refunded, coalesce(codes, 0)::bigint AS codes,
      coalesce(card, 0)::bigint AS card, coalesce(transfer, 0)::bigint AS bank_transfer,
      coalesce(d17, 0)::bigint AS d17
    FROM booked FULL JOIN items USING (day)`.execute(db)
  return new Map(
    rows.map(({ day, ...sums }) => {
      // Kysely converts the names of columns to camel case.
      const { bankTransfer = 0, ...others } = sums as typeof sums & { bankTransfer?: Millimes }
      return [day, { ...others, bank_transfer: bankTransfer }]
    }),
  )
}
