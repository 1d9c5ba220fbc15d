import { type Kysely, sql } from 'kysely'
import type { Database } from '../../database/pool.ts'
import type { Schema } from '../../database/schema.ts'
import { type Tx, transaction } from '../../database/transaction.ts'
import type { Publisher } from '../../deps.ts'

/** Changed tags, as `Publisher` distinguishes them: `changed` now, `soon` within a minute. */
export interface PageChanges {
  readonly changed: readonly string[]
  readonly soon: readonly string[]
}

/** The position up to which the notes are read. */
export interface Position {
  /** Every transaction before this one has ended, and its notes were read. */
  readonly transaction: string
  /** The id of the highest note that was read. */
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
export async function forgetChanges(db: Kysely<Schema>, before: Date): Promise<void> {
  await db.deleteFrom('pageChanges').where('madeAt', '<', before).execute()
}
