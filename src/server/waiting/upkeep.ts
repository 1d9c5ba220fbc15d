import { type Kysely, sql } from 'kysely'
import { MINUTE_MS } from '../../rules/durations.ts'
import { BACKUP_MAX_AGE_MS, type UpkeepTask } from '../../rules/upkeep.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { checkLedger, isLedgerSound, type LedgerReport } from '../money/money.ts'
import { COMMAND_LINE, logStaff } from '../staff-log/staff-log.ts'

/** The check of a ledger with millions of entries takes less time. */
const CHECK_TIMEOUT_MS = 10 * MINUTE_MS

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
  return transaction(database, async (tx) => {
    await sql`SELECT set_config('statement_timeout', ${String(CHECK_TIMEOUT_MS)}, true)`.execute(tx)
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
