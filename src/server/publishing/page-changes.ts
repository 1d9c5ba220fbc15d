import { type Kysely, sql } from 'kysely'
import type { Schema } from '../database/schema.ts'

/** Tags of pages, as `Publisher` takes them: `changed` now, `soon` within a minute. */
export interface PageChanges {
  readonly changed: readonly string[]
  readonly soon: readonly string[]
}

/** What `readChanges` found, and where the next reading goes on. */
export interface ReadChanges extends PageChanges {
  /** Everything before this transaction is read. */
  readonly position: string
  /** The notes that `changed` comes from; some of them are found again by the next reading. */
  readonly ids: readonly number[]
}

/**
 * Notes in the transaction that changes what pages show that they do: should the process end
 * between the commit and its call of the publisher, the pages are rendered all the same.
 */
export async function noteChanges(tx: Kysely<Schema>, tags: readonly string[]): Promise<void> {
  await tx
    .insertInto('page_changes')
    .values({ tags: [...tags], soon: false })
    .execute()
}

/** Notes changes that are committed, and wakes the other processes; answers the notes of `changed`. */
export async function announceChanges(
  db: Kysely<Schema>,
  channel: string,
  sender: string,
  { changed, soon }: PageChanges,
): Promise<number[]> {
  // What may take a minute needs no waking: everybody looks by himself before it is over.
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
 * out in another order than they commit in, so that a mere "greater than the last" would miss some.
 */
export async function readChanges(
  db: Kysely<Schema>,
  position: string,
  known: ReadonlySet<number>,
): Promise<ReadChanges> {
  const { rows } = await sql<{ position: string; id: number | null; tags: string[] | null }>`
    WITH fresh AS MATERIALIZED (
      SELECT id, tags, soon FROM page_changes WHERE transaction_id >= ${position}::text::xid8
    ), found AS (
      SELECT id, tags FROM fresh WHERE NOT soon
      UNION ALL
      SELECT NULL, array_agg(DISTINCT tag) FROM fresh, unnest(tags) AS tag WHERE soon
    )
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS position, id, tags
    FROM found ORDER BY id`.execute(db)
  const changed = rows.flatMap(({ id, tags }) =>
    id !== null && !known.has(id) ? (tags ?? []) : [],
  )
  return {
    // The row of what may wait is always there.
    position: rows[0]?.position ?? position,
    ids: rows.flatMap(({ id }) => id ?? []),
    changed: [...new Set(changed)],
    soon: rows.find(({ id }) => id === null)?.tags ?? [],
  }
}

/** The position of now: what is noted from here on is found by reading from it. */
export async function presentPosition(db: Kysely<Schema>): Promise<string> {
  const { rows } = await sql<{ position: string }>`
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS position`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database did not tell its position')
  return row.position
}

/** Forgets what was noted before; a process that was away for longer renders everything again. */
export async function forgetChanges(db: Kysely<Schema>, before: Date): Promise<void> {
  await db.deleteFrom('page_changes').where('made_at', '<', before).execute()
}
