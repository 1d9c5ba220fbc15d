import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { WaitingGroup, WaitingItem, WaitingKind } from '../../contract/office-desk.ts'
import { lackingSince } from '../../rules/calendar.ts'
import { DAY_MS, MINUTE_MS } from '../../rules/durations.ts'
import { startOfDay, tunisianDay } from '../../rules/tunisia-time.ts'
import { BACKUP_MAX_AGE_MS, TREND_DAYS, type Trouble, type UpkeepTask } from '../../rules/upkeep.ts'
import { readCalendar } from '../catalogue/catalogue.ts'
import { realBecause } from '../config/config.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn } from '../database/sql-parts.ts'
import { longTransaction, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { WAITING_FOR_REVIEW } from '../documents/documents.ts'
import { SCHEMA } from '../jobs/jobs.ts'
import { checkLedger, isLedgerSound, type LedgerReport } from '../money/money.ts'
import { moneyIsGivenUp } from '../own-data/own-data.ts'
import { COMMAND_LINE, logStaff, userActor } from '../staff-log/staff-log.ts'
import { readTroubles } from '../troubles/troubles.ts'

const NAMED = 3

interface Row {
  readonly kind: WaitingKind
  readonly count: number
  readonly id: string
  readonly name: string
  readonly amount: number | null
  readonly since: Date
}

/** What waits for staff, by kind; the kind whose oldest item waits longest comes first. */
export async function readWaiting(
  deps: Pick<Deps, 'config' | 'database' | 'now'>,
  userId: number,
): Promise<{ groups: WaitingGroup[]; upkeep: Upkeep }> {
  const { database, now } = deps
  const { kysely } = database
  const rows = await readQueues(kysely, userId, now())
  const trends = await readTrends(kysely, now())
  const upkeep = await readUpkeep(kysely, now())
  const troubles = await readTroubles(kysely)
  const groups = [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, oldest]) =>
    groupOf(kind, oldest, trends.get(kind)),
  )
  return {
    groups: [
      ...groups,
      ...alone('calendar', await calendarWaits(deps)),
      ...alone('backup', upkeep.backupWaits),
      ...alone('ledger', upkeep.ledgerWaits),
      ...troubles.flatMap(({ what, since, reason }) => alone(what, since, reason)),
    ].sort((one, other) => Date.parse(one.since) - Date.parse(other.since)),
    upkeep,
  }
}

/**
 * Since when a shop that sells has no dates of tests ahead, in the school year; null while it has some.
 */
async function calendarWaits(
  deps: Pick<Deps, 'config' | 'database' | 'now'>,
): Promise<Date | null> {
  if (realBecause(deps.config) === null) return null
  const since = lackingSince(await readCalendar(deps), tunisianDay(new Date(deps.now())))
  return since === null ? null : startOfDay(since)
}

/** The oldest items of each kind and their number, in one round trip. */
async function readQueues(db: Kysely<Schema>, userId: number, now: number): Promise<Row[]> {
  const queues = Object.entries(queuesFor({ userId, now })).map(
    ([kind, queue]) => sql`(
      SELECT ${kind}::text AS kind, count(*) OVER ()::integer AS count, waits.*
      FROM (${queue}) AS waits (id, name, amount, since) ORDER BY since, id LIMIT ${NAMED})`,
  )
  const { rows } = await sql<Row>`${sql.join(queues, sql` UNION ALL `)}`.execute(db)
  return rows.sort((one, other) => one.since.getTime() - other.since.getTime())
}

function groupOf(
  kind: WaitingKind,
  oldest: readonly Row[],
  trend: WaitingGroup['trend'],
): WaitingGroup {
  const items = oldest.map(itemOf)
  const count = oldest[0]?.count ?? 0
  return { kind, count, since: items[0]?.since ?? '', items, ...(trend && { trend }) }
}

/** How many of the newest rows of a table a trend reads at most, so that it needs no index. */
const TREND_READS = 2000

/**
 * Rows of each kind in the order in which they came, waiting or done: their table, whose ids grow
 * with time, the moment, and which of them count.
 */
const CAME: Readonly<Partial<Record<WaitingKind, readonly [string, string, string]>>> = {
  documents: ['document_events', 'made_at', "action IN ('submit', 'submit version')"],
  reports: ['report_cases', 'opened_at', 'true'],
  joining: ['join_requests', 'confirmed_at', 'confirmed_at IS NOT NULL'],
  transfers: ['payments', 'created_at', "provider = 'manual'"],
  differences: ['payment_differences', 'noted_at', 'true'],
  acts: ['acts', 'proposed_at', 'true'],
  payouts: ['payouts', 'requested_at', 'true'],
}

/**
 * How many of each kind came in the last days and in as many before; nothing for a kind of which
 * more came than are read.
 */
async function readTrends(
  db: Kysely<Schema>,
  now: number,
): Promise<ReadonlyMap<WaitingKind, { now: number; before: number }>> {
  const from = new Date(now - TREND_DAYS * DAY_MS)
  const start = new Date(now - 2 * TREND_DAYS * DAY_MS)
  const counts = Object.entries(CAME).map(
    ([kind, [table, at, counted]]) => sql`(
      SELECT ${kind}::text AS kind,
        count(*) FILTER (WHERE at >= ${from} AND is_counted)::integer AS now,
        count(*) FILTER (WHERE at >= ${start} AND at < ${from} AND is_counted)::integer AS before,
        count(*) < ${TREND_READS} OR min(at) < ${start} AS is_whole
      FROM (SELECT ${sql.ref(at)} AS at, ${sql.raw(counted)} AS is_counted
        FROM ${sql.table(table)} ORDER BY id DESC LIMIT ${TREND_READS}) AS newest)`,
  )
  const { rows } = await sql<{
    kind: WaitingKind
    now: number
    before: number
    isWhole: boolean
  }>`${sql.join(counts, sql` UNION ALL `)}`.execute(db)
  return new Map(
    rows.flatMap(({ kind, isWhole, ...trend }) => (isWhole ? [[kind, trend] as const] : [])),
  )
}

function itemOf({ id, name, amount, since }: Row): WaitingItem {
  return { id, name, ...(amount !== null && { amount }), since: since.toISOString() }
}

/** The group of a kind that has at most one item, without a name. */
function alone(kind: WaitingKind, since: Date | null, reason?: string): WaitingGroup[] {
  if (!since) return []
  return [{ kind, count: 1, since: since.toISOString(), items: [], ...(reason && { reason }) }]
}

/** How long, in milliseconds, a failed import is shown. */
const FAILED_IMPORT_SHOWN_MS = 7 * DAY_MS

interface Reader {
  readonly userId: number
  /** Milliseconds since 1970. */
  readonly now: number
}

const JOBS = sql.id(SCHEMA, 'job')

/**
 * The waiting items of each kind, as rows of `id, name, amount, since`. Each query reads an index
 * that holds only waiting items, so that it costs the same in a shop with a million orders.
 */
export function queuesFor({
  userId,
  now,
}: Reader): Readonly<
  Record<Exclude<WaitingKind, 'calendar' | UpkeepTask | Trouble>, RawBuilder<unknown>>
> {
  return {
    documents: sql`
      SELECT w.id::text, d.title AS name, NULL::bigint AS amount, w.since
      FROM ${WAITING_FOR_REVIEW} w JOIN documents d ON d.id = w.id`,
    reports: sql`
      SELECT c.id::text, d.title, NULL::bigint, c.opened_at
      FROM report_cases c JOIN documents d ON d.id = c.document_id WHERE c.closed_at IS NULL`,
    joining: sql`
      SELECT id::text, ${fullNameIn('join_requests')}, NULL::bigint, confirmed_at
      FROM join_requests WHERE confirmed_at IS NOT NULL AND decided_at IS NULL`,
    transfers: sql`
      SELECT p.reference, ${fullNameIn('u')}, p.amount, p.created_at
      FROM payments p JOIN users u ON u.id = p.user_id
      WHERE p.provider = 'manual' AND p.status = 'pending'`,
    differences: sql`
      SELECT d.id::text, ${fullNameIn('u')}, d.reported_amount, d.noted_at
      FROM payment_differences d JOIN payments p ON p.id = d.payment_id JOIN users u ON u.id = p.user_id
      WHERE d.outcome IS NULL`,
    // The proposer of an act does not confirm it.
    acts: sql`
      SELECT a.id::text, coalesce(${fullNameIn('u')}, a.detail), nullif(a.amount, 0), a.proposed_at
      FROM acts a LEFT JOIN users u ON u.id = a.user_id
      WHERE a.state = 'waiting' AND a.proposer <> ${userActor(userId)}`,
    payouts: sql`
      SELECT p.id::text, ${fullNameIn('t')}, p.amount, p.requested_at
      FROM payouts p JOIN teachers t ON t.id = p.teacher_id WHERE p.status = 'requested'`,
    // Money that keeps a deletion waiting: to be transferred or, on its day, not spoken of yet.
    returns: sql`
      SELECT u.id::text, ${fullNameIn('u')}, accounts.balance, account_deletions.asked_at
      FROM account_deletions JOIN users u ON u.id = account_deletions.user_id
      JOIN accounts ON accounts.user_id = u.id AND accounts.kind = 'customer'
      WHERE accounts.balance > 0 AND (rib IS NOT NULL
        OR (NOT ${moneyIsGivenUp} AND due_at <= ${new Date(now)}))`,
    // Of several teachers, that do not sell any more: a document or a price is changed, or one of them refused.
    bundles: sql`
      SELECT b.id::text, (SELECT string_agg(d.title, ' · ' ORDER BY d.id) FROM bundle_documents l
        JOIN documents d ON d.id = l.document_id WHERE l.bundle_id = b.id), b.price, b.told_at
      FROM bundles b WHERE b.teacher_id IS NULL AND b.ended_at IS NULL AND b.told_at IS NOT NULL`,
    // Conversations of the common inbox, which any administrator may answer, and this
    // administrator's own.
    conversations: sql`
      SELECT room.id, ${fullNameIn('u')}, NULL::bigint, room.unanswered_since
      FROM chat_rooms room JOIN users u ON u.id = room.customer_id
      WHERE room.unanswered_since IS NOT NULL AND room.administrator_id IN (
        SELECT id FROM users WHERE role = 'SHOP' UNION ALL SELECT ${userId}::integer)`,
    mails: sql`
      SELECT id::text, data->>'kind', NULL::bigint, created_on
      FROM ${JOBS} WHERE name = 'failed_mail' AND state < 'active' AND NOT blocked`,
    // A failed import is settled once its teacher has begun another.
    imports: sql`
      SELECT i.id::text, ${fullNameIn('u')}, NULL::bigint, i.changed_at
      FROM imports i JOIN users u ON u.id = i.user_id
      WHERE i.phase = 'failed' AND i.changed_at > ${new Date(now - FAILED_IMPORT_SHOWN_MS)}
        AND NOT EXISTS (
          SELECT FROM imports later WHERE later.user_id = i.user_id AND later.begun_at > i.begun_at)`,
    // Only the last turn of each counts: a failure is settled by a later success.
    turns: sql`
      SELECT turn AS id, turn, NULL::bigint, completed_on FROM (
        SELECT DISTINCT ON (data->>'name') data->>'name' AS turn, state, completed_on
        FROM ${JOBS} WHERE name = 'clock' AND state IN ('completed', 'failed')
        ORDER BY data->>'name', completed_on DESC
      ) AS last WHERE state = 'failed'`,
  }
}

/** The check of a ledger with millions of entries takes less time. */
export const LEDGER_LIMIT_MS = 10 * MINUTE_MS

/** When the shop was last backed up and its ledger last checked; null if never. */
export interface Upkeep {
  readonly backupAt: Date | null
  readonly ledgerAt: Date | null
  /** Since when the last backup has been too old; null while it is recent enough. */
  readonly backupWaits: Date | null
  /** Since when the ledger check has found differences; null while it finds none. */
  readonly ledgerWaits: Date | null
  /** When the backup was made from which this shop was restored; null: it was not restored. */
  readonly restoredFrom: Date | null
}

/**
 * Records, in the log as well, that a backup was made by the shop's own command or in another way.
 */
export function noteBackup(database: Pick<Database, 'kysely'>, at: Date): Promise<void> {
  return transaction(database, async (tx) => {
    await keep(tx, { what: 'backup', at, isWrong: false })
    await logStaff(tx, { actor: COMMAND_LINE, action: 'back up', subject: { kind: 'shop' } })
  })
}

/**
 * Records, in a restored shop, when the backup was made that it comes from, which is its last one.
 */
export async function noteRestore(tx: Kysely<Schema>, madeAt: Date): Promise<void> {
  await keep(tx, { what: 'restored', at: madeAt, isWrong: false })
  await keep(tx, { what: 'backup', at: madeAt, isWrong: false })
}

/**
 * When the backup was made that the shop was restored from; null if it was not, also in the database
 * of an earlier version, which does not know.
 */
export async function restoredFrom(db: Kysely<Schema>): Promise<Date | null> {
  const { rows } = await sql<{ hasPlace: boolean }>`
    SELECT to_regclass('upkeep') IS NOT NULL AS has_place`.execute(db)
  if (!rows[0]?.hasPlace) return null
  const kept = await db
    .selectFrom('upkeep')
    .select('doneAt')
    .where('what', '=', 'restored')
    .executeTakeFirst()
  return kept?.doneAt ?? null
}

/** Recomputes the whole ledger, and notes the result for the first page of the office. */
export function checkLedgerAndNote({
  database,
  now,
}: Pick<Deps, 'database' | 'now'>): Promise<LedgerReport> {
  return longTransaction(database, LEDGER_LIMIT_MS, async (tx) => {
    const report = await checkLedger(tx)
    await keep(tx, { what: 'ledger', at: new Date(now()), isWrong: !isLedgerSound(report) })
    return report
  })
}

async function keep(
  db: Kysely<Schema>,
  { what, at, isWrong }: { what: UpkeepTask | 'restored'; at: Date; isWrong: boolean },
): Promise<void> {
  await sql`
    INSERT INTO upkeep AS known (what, done_at, wrong_since)
    VALUES (${what}, ${at}, ${isWrong ? at : null}::timestamptz)
    ON CONFLICT (what) DO UPDATE SET done_at = excluded.done_at,
      wrong_since = CASE WHEN ${isWrong} THEN coalesce(known.wrong_since, excluded.wrong_since) END
    `.execute(db)
}

/** The state of backups and ledger at `now`, in milliseconds since 1970. */
export async function readUpkeep(db: Kysely<Schema>, now: number): Promise<Upkeep> {
  const rows = await db.selectFrom('upkeep').selectAll().execute()
  const ledger = rows.find(({ what }) => what === 'ledger')
  const backupAt = rows.find(({ what }) => what === 'backup')?.doneAt ?? null
  const isOld = backupAt === null || now - backupAt.getTime() > BACKUP_MAX_AGE_MS
  return {
    backupAt,
    ledgerAt: ledger?.doneAt ?? null,
    backupWaits: isOld ? (backupAt ?? (await openedAt(db))) : null,
    ledgerWaits: ledger?.wrongSince ?? null,
    restoredFrom: rows.find(({ what }) => what === 'restored')?.doneAt ?? null,
  }
}

/** When the shop's first account was created. */
async function openedAt(db: Kysely<Schema>): Promise<Date | null> {
  const first = await db.selectFrom('users').select('createdAt').orderBy('id').limit(1).execute()
  return first[0]?.createdAt ?? null
}
