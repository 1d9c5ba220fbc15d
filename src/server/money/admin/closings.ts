import { type Kysely, sql } from 'kysely'
import * as calls from '../../../contract/office-closings.ts'
import { CLOSING_LINES, type Closing } from '../../../contract/office-closings.ts'
import { DEFAULT_LOCALE, type Locale } from '../../../i18n/locales.ts'
import { TEXTS } from '../../../i18n/texts.ts'
import { type Cell, csvTable } from '../../../rules/csv.ts'
import { ACCOUNT_KINDS, type AccountKind, SALE_ACCOUNTS } from '../../../rules/ledger.ts'
import { inDinars, type Millimes } from '../../../rules/money.ts'
import { actorText } from '../../../rules/office-actions.ts'
import { daysAfter, startOfDay, tunisianDay } from '../../../rules/tunisia-time.ts'
import type { Schema } from '../../database/schema.ts'
import { lock, transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { canonicalJson } from '../../http/idempotency.ts'
import { csvFile, type Route, route } from '../../http/route.ts'
import { actorNames, logStaff } from '../../staff-log/staff-log.ts'
import { sumsByActor } from '../two-people/acts.ts'

export const closingRoutes: Route[] = [
  route(calls.getClosing, ({ input: { params }, deps }) => readClosing(deps, params.day)),

  route(calls.downloadClosing, async ({ input: { params, query }, deps, reply }) => {
    const csv = closingCsv(await readClosing(deps, params.day), query.locale ?? DEFAULT_LOCALE)
    return csvFile(reply, `karras-${params.day}.csv`, csv)
  }),

  route(calls.closeDay, async ({ input: { params, body }, user, deps }) => {
    await closeDay(deps, { ...params, ...body, actor: user.actor })
    return readClosing(deps, params.day)
  }),
]

interface Closed {
  readonly id: number
  readonly actor: string
  readonly closedAt: Date
  readonly sums: unknown
}

/** A day's sums and balances, and the administrators who closed it. */
async function readClosing(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  day: string,
): Promise<Closing> {
  const { kysely } = database
  const sums = await sumsOfDay(kysely, day)
  const closed = await closingsOf(kysely, day)
  const names = await actorNames(
    kysely,
    closed.map(({ actor }) => actor),
  )
  return {
    day,
    isComplete: day < tunisianDay(new Date(now())),
    lines: [...sums.lines],
    balances: [...sums.balances],
    administrators: await sumsByActor(kysely, spanOf(day)),
    difference: sums.difference,
    closedBy: closed.map((closing) => ({
      id: closing.id,
      by: names.get(closing.actor) ?? closing.actor,
      at: closing.closedAt.toISOString(),
      isSame: hasSameSums(closing, sums),
    })),
  }
}

/**
 * Records that `actor` has closed a day. `seen` is the id of the last closing they were shown: throws
 * `done_before` where the sums have not changed since the last one, or a newer one exists, and
 * `day_not_over` for days to come.
 */
async function closeDay(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  { day, seen, actor }: { day: string; seen?: number | null; actor: string },
): Promise<void> {
  const at = new Date(now())
  if (day > tunisianDay(at)) throw fault('day_not_over')
  await transaction(database, async (tx) => {
    await lock(tx, `closing of ${day}`)
    const sums = await sumsOfDay(tx, day)
    const [last] = await closingsOf(tx, day)
    if (last && (hasSameSums(last, sums) || (seen !== undefined && seen !== last.id))) {
      const names = await actorNames(tx, [last.actor])
      const by = names.get(last.actor) ?? last.actor
      const message = `${day} was closed before, by ${by}.`
      throw fault('done_before', { done: { by, at: last.closedAt.toISOString() }, message })
    }
    await tx
      .insertInto('dayClosings')
      .values({ day, closedAt: at, actor, sums: JSON.stringify(sums) })
      .execute()
    await logStaff(tx, { actor, action: 'close day', subject: { kind: `day ${day}` } })
  })
}

function closingsOf(db: Kysely<Schema>, day: string): Promise<Closed[]> {
  return db
    .selectFrom('dayClosings')
    .select(['id', 'actor', 'closedAt', 'sums'])
    .where('day', '=', day)
    .orderBy('id', 'desc')
    .execute()
}

/**
 * Whether a closing has the same sums; a line or an account that it lacks is a difference only if
 * money moved.
 */
function hasSameSums(closed: Closed, sums: DaySums): boolean {
  const then = closed.sums as DaySums
  const known = new Set<string>(then.lines.map(({ line }) => line))
  const accounts = new Set<string>(then.balances.map(({ account }) => account))
  const lines = sums.lines.filter(({ line, count }) => known.has(line) || count > 0)
  const balances = sums.balances.filter(
    ({ account, opening, moved }) => accounts.has(account) || opening !== 0 || moved !== 0,
  )
  return canonicalJson(then) === canonicalJson({ ...sums, lines, balances })
}

/** A day's closing as CSV: its lines, then the accounts. */
function closingCsv(closing: Closing, locale: Locale): string {
  const { columns, lines, accounts, administrators, difference } =
    TEXTS[locale]['office-money'].closing
  const { kinds } = TEXTS[locale]['office-acts']
  const rows: Cell[][] = [
    [closing.day, columns.count, columns.recorded, columns.booked, columns.difference],
    ...closing.lines.map(({ line, count, recorded, booked }) => [
      lines[line],
      count,
      inDinars(recorded),
      inDinars(booked),
      inDinars(booked - recorded),
    ]),
    [],
    [columns.account, columns.opening, columns.moved, columns.closing],
    ...closing.balances.map(({ account, opening, moved, closing: end }) => [
      accounts[account],
      inDinars(opening),
      inDinars(moved),
      inDinars(end),
    ]),
    [],
    [administrators, columns.kind, columns.count, columns.amount, columns.alone],
    ...closing.administrators.map(({ by, kind, count, amount, alone }) => [
      actorText(by, TEXTS[locale].office.actor),
      kinds[kind],
      count,
      inDinars(amount),
      inDinars(alone),
    ]),
    [],
    [difference, null, null, inDinars(closing.difference)],
  ]
  return csvTable(rows)
}

interface DayLine {
  readonly line: (typeof CLOSING_LINES)[number]
  readonly count: number
  /** The sum in the shop's records: of payments, items, adjustments and payouts. */
  readonly recorded: Millimes
  /** The sum in the ledger's entries. */
  readonly booked: Millimes
}

interface DayBalance {
  readonly account: AccountKind
  readonly opening: Millimes
  readonly moved: Millimes
  readonly closing: Millimes
}

interface DaySums {
  readonly lines: readonly DayLine[]
  readonly balances: readonly DayBalance[]
  /** 0 where records and ledger agree and the ledger sums to 0. */
  readonly difference: Millimes
}

/** The movements of a day (`2026-11-22`) in Tunisia, and the balances of all accounts before and after it. */
async function sumsOfDay(db: Kysely<Schema>, day: string): Promise<DaySums> {
  const span = spanOf(day)
  const lines = await linesOf(db, span)
  const balances = await balancesOf(db, span)
  const apart = lines.reduce((sum, { recorded, booked }) => sum + Math.abs(recorded - booked), 0)
  const rest = balances.reduce((sum, { closing }) => sum + closing, 0)
  return { lines, balances, difference: apart + Math.abs(rest) }
}

const spanOf = (day: string): Span => ({
  from: startOfDay(day),
  to: startOfDay(daysAfter(day, 1)),
})

interface Span {
  readonly from: Date
  readonly to: Date
}

async function linesOf(db: Kysely<Schema>, { from, to }: Span): Promise<DayLine[]> {
  const { rows } = await sql<DayLine>`
    WITH moved AS MATERIALIZED (
      SELECT t.id, t.kind, t.order_id, t.payment_id, t.payout_id, t.adjustment_id,
        t.tax_payment_id, t.created_at,
        coalesce(sum(-e.amount) FILTER (WHERE a.kind = 'gateway'), 0) AS came,
        coalesce(sum(e.amount) FILTER (WHERE a.kind = ANY (${SALE_ACCOUNTS}::text[])), 0)
          AS sold,
        coalesce(sum(e.amount) FILTER (WHERE a.kind = 'customer'), 0) AS wallets,
        coalesce(sum(e.amount) FILTER (WHERE a.kind IN ('payouts', 'withheld')), 0)
          AS paid_out,
        coalesce(sum(e.amount) FILTER (WHERE e.amount > 0), 0) AS received,
        coalesce(sum(-e.amount) FILTER (WHERE e.amount < 0), 0) AS given_up
      FROM ledger_transactions t
      JOIN ledger_entries e ON e.transaction_id = t.id
      JOIN accounts a ON a.id = e.account_id
      WHERE t.created_at >= ${from} AND t.created_at < ${to}
      GROUP BY t.id
    ), payments_in AS (
      SELECT p.method AS line, count(*) AS count, sum(p.amount) AS recorded, sum(m.came) AS booked
      FROM moved m JOIN payments p ON p.id = m.payment_id GROUP BY p.method
    ), sold AS (
      SELECT m.payment_id, m.sold, i.count, i.price
      FROM moved m CROSS JOIN LATERAL (
        SELECT count(*) AS count, sum(price - code_off) AS price FROM order_items
        WHERE order_id = m.order_id
      ) AS i
      WHERE m.kind = 'purchase'
    ), refunded AS (
      SELECT m.wallets, i.count, i.price
      FROM moved m CROSS JOIN LATERAL (
        SELECT count(*) AS count, sum(price - code_off) AS price FROM order_items
        -- Items that are refunded together carry the time of their ledger transaction.
        WHERE order_id = m.order_id AND refunded_at = m.created_at
      ) AS i
      WHERE m.kind = 'refund'
    ), adjusted AS (
      SELECT CASE WHEN m.wallets > 0 THEN 'given' ELSE 'taken' END AS line, count(*) AS count,
        -- The oldest adjustments have no record but their entries.
        sum(coalesce(j.amount, m.wallets)) AS recorded, sum(m.wallets) AS booked
      FROM moved m LEFT JOIN adjustments j ON j.id = m.adjustment_id
      WHERE m.kind = 'adjustment' GROUP BY 1
    ), found AS (
      SELECT line, count, recorded, booked FROM payments_in
      UNION ALL
      SELECT 'sales', sum(count), sum(price), sum(sold) FROM sold
      UNION ALL
      SELECT 'walletSales', sum(count), sum(price), sum(sold) FROM sold WHERE payment_id IS NULL
      UNION ALL
      SELECT 'topUps', count(*), sum(p.amount), sum(m.wallets)
      FROM moved m JOIN payments p ON p.id = m.payment_id WHERE m.kind = 'top_up'
      UNION ALL
      SELECT 'refunds', sum(count), sum(price), sum(wallets) FROM refunded
      UNION ALL
      SELECT line, count, recorded, booked FROM adjusted
      UNION ALL
      SELECT 'payouts', count(*), sum(p.amount), sum(m.paid_out)
      FROM moved m JOIN payouts p ON p.id = m.payout_id
      UNION ALL
      SELECT 'taxes', count(*), sum(p.amount), sum(m.received)
      FROM moved m JOIN tax_payments p ON p.id = m.tax_payment_id
      UNION ALL
      -- From wallet to wallet: what the ones gave up, and what the others received.
      SELECT 'merged', count(*), sum(given_up), sum(received) FROM moved WHERE kind = 'merge'
      UNION ALL
      SELECT 'returned', count(*), sum(given_up), sum(received) FROM moved WHERE kind = 'return'
    )
    SELECT lines.line, coalesce(f.count, 0)::integer AS count,
      coalesce(f.recorded, 0)::bigint AS recorded, coalesce(f.booked, 0)::bigint AS booked
    FROM unnest(${CLOSING_LINES}::text[]) WITH ORDINALITY AS lines (line, place)
    LEFT JOIN found f USING (line)
    ORDER BY lines.place`.execute(db)
  return rows
}

/** Reads all balances in one statement, so that they are of the same moment. */
async function balancesOf(db: Kysely<Schema>, { from, to }: Span): Promise<DayBalance[]> {
  const { rows } = await sql<{
    account: AccountKind
    now: Millimes
    moved: Millimes
    later: Millimes
  }>`
    WITH held AS (
      SELECT kind, sum(balance) AS held FROM accounts WHERE balance IS NOT NULL GROUP BY kind
      UNION ALL
      SELECT a.kind, coalesce(sum(e.amount), 0)
      FROM accounts a LEFT JOIN ledger_entries e ON e.account_id = a.id
      WHERE a.balance IS NULL GROUP BY a.kind
    ), since AS (
      SELECT a.kind, sum(e.amount) FILTER (WHERE t.created_at < ${to}) AS moved,
        sum(e.amount) FILTER (WHERE t.created_at >= ${to}) AS later
      FROM ledger_transactions t
      JOIN ledger_entries e ON e.transaction_id = t.id
      JOIN accounts a ON a.id = e.account_id
      WHERE t.created_at >= ${from}
      GROUP BY a.kind
    )
    SELECT held.kind AS account, held.held::bigint AS now,
      coalesce(since.moved, 0)::bigint AS moved, coalesce(since.later, 0)::bigint AS later
    FROM held LEFT JOIN since USING (kind)`.execute(db)
  return ACCOUNT_KINDS.map((account) => {
    const { now = 0, moved = 0, later = 0 } = rows.find((row) => row.account === account) ?? {}
    const closing = now - later
    return { account, opening: closing - moved, moved, closing }
  })
}
