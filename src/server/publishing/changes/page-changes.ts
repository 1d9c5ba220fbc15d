import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../database/schema.ts'

/** Tags of pages, as `Publisher` takes them: `changed` now, `soon` within a minute. */
export interface PageChanges {
  readonly changed: readonly string[]
  readonly soon: readonly string[]
}

/** Up to where the notes are read. */
export interface Position {
  /** Every transaction before this one is over, and read. */
  readonly transaction: string
  /** The highest note that was there to be read. */
  readonly note: number
}

/**
 * Notes changed pages in the transaction that changes what they show: should the process end between
 * the commit and its call of the publisher, the pages are rendered all the same.
 */
export async function noteChanges(tx: Kysely<Schema>, tags: readonly string[]): Promise<void> {
  await tx
    .insertInto('pageChanges')
    .values({ tags: [...tags], soon: false })
    .execute()
}

/** Notes committed changes and notifies the other processes; returns the ids of the notes of `changed`. */
export async function announceChanges(
  db: Kysely<Schema>,
  channel: string,
  sender: string,
  { changed, soon }: PageChanges,
): Promise<number[]> {
  // What may take a minute needs no notification: each process reads again before it is over.
  const { rows } = await sql<{ id: number; soon: boolean }>`
    WITH noted AS (
      INSERT INTO page_changes (tags, soon)
      SELECT tags, soon
      FROM (VALUES (${[...changed]}::text[], false), (${[...soon]}::text[], true)) AS given (tags, soon)
      WHERE cardinality(tags) > 0
      RETURNING id, soon
    )
    SELECT id, soon, CASE WHEN NOT soon THEN pg_notify(${channel}, ${sender}) END FROM noted
  `.execute(db)
  return rows.filter((row) => !row.soon).map(({ id }) => id)
}

/**
 * Reads what was noted by transactions that were not over at `position`. Their numbers are given
 * out in another order than they commit in, so that a mere "greater than the last" would miss some;
 * and a server that crashed may give out its last few numbers again, but never a note's.
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
    /** Where the next reading goes on. */
    position: {
      // The row of what may wait is always there.
      transaction: rows[0]?.transaction ?? transaction,
      note: Math.max(note, ...rows.map((row) => row.note ?? 0)),
    },
    /** The notes that `changed` comes from; some of them are found again by the next reading. */
    ids: rows.flatMap(({ id }) => id ?? []),
    changed: [...new Set(changed)],
    soon: rows.find(({ id }) => id === null)?.tags ?? [],
  }
}

interface Found {
  transaction: string
  /** null for all of what may wait together. */
  id: number | null
  tags: string[] | null
  note: number | null
}

function lookedBack(transaction: string): string {
  const from = BigInt(transaction) - 100n
  return String(from < 0n ? 0n : from)
}

/** The position of now: what is noted from here on is found by reading from it. */
export async function presentPosition(db: Kysely<Schema>): Promise<Position> {
  const { rows } = await sql<Position>`
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS transaction,
      coalesce(max(id), 0) AS note
    FROM page_changes`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database returned no position')
  return row
}

/** Whether a server that is at `present` can have been at `position`; another one counts from elsewhere. */
export function isBehind(position: Position, present: Position): boolean {
  return BigInt(lookedBack(position.transaction)) <= BigInt(present.transaction)
}

/** Forgets what was noted before; a process that was away for longer renders everything again. */
export async function forgetChanges(db: Kysely<Schema>, before: Date): Promise<void> {
  await db.deleteFrom('pageChanges').where('madeAt', '<', before).execute()
}
