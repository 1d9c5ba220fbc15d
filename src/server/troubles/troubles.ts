import { statfs } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { DISK_NEARLY_FULL_BYTES, TROUBLES, type Trouble } from '../../rules/upkeep.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { type Storage, StorageUnavailable } from '../files/files.ts'
import type { Say } from '../terminal.ts'

/** Where troubles are noted, and said. */
export interface Noting {
  readonly database: Pick<Database, 'kysely'>
  readonly now: () => number
  readonly report: Say
}

const NAMES = {
  mail: 'Mail',
  sms: 'The gateway for text messages',
  gateway: 'The payment gateway',
  disk: 'The disk',
  storage: 'The storage of the files',
  proxy: 'The proxy',
  codes: 'Registration by phone',
} as const

/** What does not work now, or the last time that it did not. */
interface LastTrouble {
  readonly what: Trouble
  /** In words, for the operator. */
  readonly reason: string
  /** When it was last seen. */
  readonly at: Date
  /** Since when it lasts; null: it is over. */
  readonly since: Date | null
}

/**
 * Notes that something does not work, and says so in the log when it begins. Never rejects: what
 * becomes of a mail or a payment does not depend on the note.
 */
export async function noteTrouble(
  { database, now, report }: Noting,
  what: Trouble,
  reason: string,
): Promise<void> {
  const at = new Date(now())
  const noted = sql<{ since: Date }>`
    INSERT INTO upkeep AS known (what, done_at, wrong_since, reason)
    VALUES (${what}, ${at}, ${at}, ${reason})
    ON CONFLICT (what) DO UPDATE SET done_at = excluded.done_at, reason = excluded.reason,
      wrong_since = coalesce(known.wrong_since, excluded.wrong_since)
    RETURNING wrong_since AS since`.execute(database.kysely)
  const since = await noted.then(
    ({ rows }) => rows[0]?.since,
    () => at,
  )
  if (since?.getTime() === at.getTime()) {
    report(`${NAMES[what]} fails since ${at.toISOString()}: ${reason}`, 'error')
  }
}

/** Notes that something works, and says so in the log where it did not before. Never rejects. */
export async function noteWorking({ database, report }: Noting, what: Trouble): Promise<void> {
  const noted = database.kysely
    .updateTable('upkeep')
    .set({ wrongSince: null })
    .where('what', '=', what)
    .where('wrongSince', 'is not', null)
    .executeTakeFirstOrThrow()
  const count = await noted.then(
    ({ numUpdatedRows }) => numUpdatedRows,
    () => 0n,
  )
  if (count > 0n) report(`${NAMES[what]} works again.`)
}

/** The last trouble of each kind, over or not. */
export async function readTroubles(db: Kysely<Schema>): Promise<LastTrouble[]> {
  const rows = await db
    .selectFrom('upkeep')
    .select(['what', 'doneAt', 'wrongSince', 'reason'])
    .where('what', 'in', TROUBLES)
    .execute()
  return rows.map(({ what, doneAt, wrongSince, reason }) => {
    return { what: what as Trouble, reason: reason ?? '', at: doneAt, since: wrongSince }
  })
}

/** Notes whether `DATA_DIR` has less than `least` bytes left. */
export async function lookAtDisk(
  deps: Noting & { readonly config: Pick<Config, 'dataDir'> },
  least = DISK_NEARLY_FULL_BYTES,
): Promise<void> {
  const { dataDir } = deps.config
  const { bavail, bsize } = await statfs(dataDir)
  if (bavail * bsize >= least) return await noteWorking(deps, 'disk')
  const left = Math.floor((bavail * bsize) / 1e6)
  await noteTrouble(deps, 'disk', `${left} MB left in ${dataDir}`)
}

/** Notes whether the files can be written and read: those of the shop, not an empty place. */
export async function lookAtStorage(deps: Noting & { readonly files: Storage }): Promise<void> {
  const { files, database } = deps
  try {
    await files.look()
    // A directory that is not mounted can be written, and so can another bucket.
    const newest = await database.kysely
      .selectFrom('files')
      .select('storageKey')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (newest && (await files.sizeOf(newest.storageKey)) === null) {
      throw new StorageUnavailable('the newest file is not there; FILES_URL may lead elsewhere')
    }
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    return await noteTrouble(deps, 'storage', error.message)
  }
  await noteWorking(deps, 'storage')
}
