import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../rules/durations.ts'
import { coalesce } from '../../concurrency/coalesce.ts'
import type { Listener } from '../../database/listen.ts'
import type { Database } from '../../database/pool.ts'
import type { Schema } from '../../database/schema.ts'
import { type Tx, transaction } from '../../database/transaction.ts'
import type { Publisher } from '../../deps.ts'
import { writeWhole } from '../../files/files.ts'

interface PageChanges {
  readonly changed: readonly string[]
  readonly soon: readonly string[]
}

export interface Position {
  /** Every transaction before this one has ended, and its notes were read. */
  readonly transaction: string
  readonly note: number
}

/** Marks tags whose pages are rendered again after the commit of the transaction. */
type MarkStale = (tags: readonly string[]) => void

/**
 * Runs a transaction that changes what public pages show; `work` marks their tags as stale. The
 * tags are noted in the transaction, so that the pages are rendered again even if the process ends
 * right after the commit; this process receives the note's id with the change, so that it does not
 * render the pages once more when it reads the note.
 */
export async function changePages<Result>(
  { database, publisher }: { database: Pick<Database, 'kysely'>; publisher: Publisher },
  work: (tx: Tx, markStale: MarkStale) => Promise<Result>,
): Promise<Result> {
  const { result, tags, note } = await transaction(database, async (tx) => {
    const marked = new Set<string>()
    const result = await work(tx, (tags) => {
      for (const tag of tags) marked.add(tag)
    })
    const tags = [...marked]
    return { result, tags, note: tags.length > 0 ? await noteChanges(tx, tags) : undefined }
  })
  if (tags.length > 0) publisher.changed(tags, note)
  return result
}

/**
 * Notes changed tags in the transaction that changes what their pages show; returns the note's id.
 */
export async function noteChanges(tx: Kysely<Schema>, tags: readonly string[]): Promise<number> {
  const { id } = await tx
    .insertInto('pageChanges')
    .values({ tags: [...tags], soon: false })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Notes changes that are committed; returns the ids of the notes of `changed`. */
export async function noteCommitted(
  db: Kysely<Schema>,
  { changed, soon }: PageChanges,
): Promise<number[]> {
  if (changed.length + soon.length === 0) return []
  const { rows } = await sql<{ id: number; soon: boolean }>`
    INSERT INTO page_changes (tags, soon)
    SELECT tags, soon
    FROM (VALUES (${[...changed]}::text[], false), (${[...soon]}::text[], true)) AS given (tags, soon)
    WHERE cardinality(tags) > 0
    RETURNING id, soon`.execute(db)
  return rows.filter((row) => !row.soon).map(({ id }) => id)
}

/** Notifies the other processes that there is a note to read. */
export async function notifyOthers(
  db: Kysely<Schema>,
  channel: string,
  sender: string,
): Promise<void> {
  await sql`SELECT pg_notify(${channel}, ${sender})`.execute(db)
}

/**
 * Reads the notes of transactions that had not ended at `position`. Transactions commit in another
 * order than they are numbered, so that reading only higher numbers would miss some; and a server
 * that crashed may reuse its last transaction numbers, but never the id of a note.
 */
export async function readChanges(
  db: Kysely<Schema>,
  { transaction, note }: Position,
  known: ReadonlySet<number>,
) {
  const { rows } = await sql<Found>`
    WITH fresh AS MATERIALIZED (
      SELECT id, tags, soon FROM page_changes
      WHERE transaction_id >= ${lookedBack(transaction)}::text::xid8
        AND (transaction_id >= ${transaction}::text::xid8 OR id > ${note})
    ), found AS (
      SELECT id, tags, id AS note FROM fresh WHERE NOT soon
      UNION ALL
      SELECT NULL, array_agg(DISTINCT tag), max(id) FROM fresh, unnest(tags) AS tag WHERE soon
    )
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS transaction, id, tags, note
    FROM found ORDER BY id`.execute(db)
  const changed = rows.flatMap(({ id, tags }) =>
    id !== null && !known.has(id) ? (tags ?? []) : [],
  )
  return {
    /** The position from which the next reading continues. */
    position: {
      // The aggregate row of `soon` always exists.
      transaction: rows[0]?.transaction ?? transaction,
      note: Math.max(note, ...rows.map((row) => row.note ?? 0)),
    },
    /** The notes behind `changed`; the next reading finds some of them again. */
    ids: rows.flatMap(({ id }) => id ?? []),
    changed: [...new Set(changed)],
    soon: rows.find(({ id }) => id === null)?.tags ?? [],
  }
}

interface Found {
  transaction: string
  /** null for the aggregate of all changes that may wait. */
  id: number | null
  tags: string[] | null
  note: number | null
}

function lookedBack(transaction: string): string {
  const from = BigInt(transaction) - 100n
  return String(from < 0n ? 0n : from)
}

/** The present position: reading from it finds all notes written from now on. */
export async function presentPosition(db: Kysely<Schema>): Promise<Position> {
  const { rows } = await sql<Position>`
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS transaction,
      coalesce(max(id), 0) AS note
    FROM page_changes`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database returned no position')
  return row
}

/**
 * Whether a server at `present` can have been at `position`; another server's numbers would not
 * fit.
 */
export function isBehind(position: Position, present: Position): boolean {
  return BigInt(lookedBack(position.transaction)) <= BigInt(present.transaction)
}

/** Deletes older notes; a process that was disconnected for longer renders everything again. */
async function forgetChanges(db: Kysely<Schema>, before: Date): Promise<void> {
  await db.deleteFrom('pageChanges').where('madeAt', '<', before).execute()
}

/** The pages that this process stores. */
export interface CachedPages extends Publisher {
  everythingChanged(): Promise<void>
}

interface AnnouncementsOptions {
  readonly database: Database
  readonly listener: Listener
  /**
   * The file that stores the last change up to which this process's pages are known to be current.
   */
  readonly file: string
  readonly log: (line: string) => void
  /** Milliseconds between two readings without a notification. */
  readonly every?: number
}

const CHANNEL = 'pages'
const KEPT_FOR = 2 * DAY_MS

/**
 * Passes on the changes that one process announces to all processes on the same database. Changes
 * are noted in a table, and a notification only signals that there is something to read: changes
 * announced while the connection was lost, or noted by a process that was killed before it
 * announced them, are read all the same.
 */
export function openAnnouncements(options: AnnouncementsOptions) {
  const { listener, file, log, every = 4 * SECOND_MS } = options
  const db = options.database.kysely
  const sender = randomUUID()
  const waiting = { changed: new Set<string>(), soon: new Set<string>(), isNoted: false }
  const unsubscribers: (() => void)[] = []
  let pages: CachedPages | undefined
  /**
   * Changes that the pages have already received: those of the last reading, and those announced
   * here since.
   */
  let known = new Set<number>()
  const ownChanges = new Set<number>()
  let position: Position | undefined
  let savedAt = 0
  let forgotAt = 0
  let isClosed = false

  const announce = coalesce(async () => {
    const changed = [...waiting.changed]
    const soon = [...waiting.soon]
    const { isNoted } = waiting
    waiting.changed.clear()
    waiting.soon.clear()
    waiting.isNoted = false
    try {
      const ids = await noteCommitted(db, { changed, soon })
      if (pages) for (const id of ids) ownChanges.add(id)
      // Changes that may take a minute need no notification: each process polls more often than
      // that.
      if (isNoted || ids.length > 0) await notifyOthers(db, CHANNEL, sender)
    } catch (error) {
      for (const tag of changed) waiting.changed.add(tag)
      for (const tag of soon) waiting.soon.add(tag)
      waiting.isNoted ||= isNoted
      log(`changed pages could not be announced: ${(error as Error).message}`)
    }
  })

  const receive = coalesce(async () => {
    if (!pages || isClosed) return
    try {
      await receiveChanges(pages)
      if (Date.now() - forgotAt > HOUR_MS) {
        forgotAt = Date.now()
        await forgetChanges(db, new Date(forgotAt - KEPT_FOR))
      }
    } catch (error) {
      log(`changed pages could not be read: ${(error as Error).message}`)
    }
  })

  async function receiveChanges(receiver: CachedPages): Promise<void> {
    const from = position ?? (await startPosition(receiver))
    const committed = [...ownChanges]
    const read = await readChanges(db, from, known.union(ownChanges))
    if (read.changed.length > 0) receiver.changed(read.changed)
    if (read.soon.length > 0) receiver.changedSoon(read.soon)
    known = new Set(read.ids)
    // They were committed before this reading, so no later reading finds them either.
    for (const id of committed) ownChanges.delete(id)
    position = read.position
    const hasChanges = read.ids.length + read.soon.length > 0
    // By now the pages have stored the changes.
    if (hasChanges || Date.now() - savedAt > 10 * MINUTE_MS) {
      savedAt = Date.now()
      await savePosition(file, { position, at: savedAt })
    }
  }

  async function startPosition(receiver: CachedPages): Promise<Position> {
    const present = await presentPosition(db)
    const saved = await loadPosition(file)
    const isRecent = saved && Date.now() - saved.at < KEPT_FOR - DAY_MS
    if (isRecent && isBehind(saved.position, present)) return saved.position
    await receiver.everythingChanged()
    return present
  }

  const beat = setInterval(() => {
    void announce()
    void receive()
  }, every)
  beat.unref()

  return {
    changed(tags: readonly string[], note?: number): void {
      pages?.changed(tags)
      if (note === undefined) for (const tag of tags) waiting.changed.add(tag)
      else {
        if (pages) ownChanges.add(note)
        waiting.isNoted = true
      }
      void announce()
    },
    changedSoon(tags: readonly string[]): void {
      pages?.changedSoon(tags)
      // With many purchases, one note suffices for all of them.
      for (const tag of tags) waiting.soon.add(tag)
    },
    /**
     * Connects this process's pages; resolves when they know of all changes, by any process, since
     * `file` was last written.
     */
    async publishTo(named: CachedPages): Promise<void> {
      // Earlier changes by this process, such as filling an empty shop, are read like those of any
      // other.
      await announce()
      pages = named
      unsubscribers.push(
        listener.onReconnect(() => void receive()),
        await listener.onNotify(CHANNEL, (payload) => {
          if (payload !== sender) void receive()
        }),
      )
      await receive()
    },
    /** Announces what is still waiting, and ends. */
    async close(): Promise<void> {
      clearInterval(beat)
      for (const unsubscribe of unsubscribers) unsubscribe()
      isClosed = true
      await announce()
      await receive()
    },
  }
}

/**
 * The position up to which the pages of a data directory know of changes; `at` in ms since 1970.
 */
interface SavedPosition {
  readonly position: Position
  readonly at: number
}

/** Reads the file; undefined if it is missing or damaged, so that all pages are rendered again. */
export async function loadPosition(file: string): Promise<SavedPosition | undefined> {
  try {
    const { position, at } = JSON.parse(await readFile(file, 'utf8'))
    const { transaction, note } = position
    const isWhole = /^\d{1,20}$/.test(transaction) && Number.isInteger(note) && Number.isFinite(at)
    return isWhole ? { position: { transaction, note }, at } : undefined
  } catch {
    return undefined
  }
}

/** Writes the file, whole or not at all. */
function savePosition(file: string, saved: SavedPosition): Promise<void> {
  return writeWhole(file, JSON.stringify(saved), { flush: false })
}
