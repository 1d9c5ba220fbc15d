import { type Kysely, sql } from 'kysely'
import type { Place } from '../../../contract/reading.ts'
import type { Schema } from '../../database/schema.ts'
import type { Deps } from '../../deps.ts'
import type { BoughtFile } from '../find-file.ts'

interface Reading {
  readonly userId: number
  readonly documentId: number
}

/** Records that an owner got this version of a document, so that it is no longer shown as new. */
export async function noteSeen(
  { database: { kysely } }: Pick<Deps, 'database'>,
  { userId, documentId }: Reading,
  { version, isNew }: Pick<BoughtFile, 'version' | 'isNew'>,
): Promise<void> {
  if (!isNew) return
  await sql`
    INSERT INTO readings AS known (user_id, document_id, seen_version)
    VALUES (${userId}, ${documentId}, ${version})
    ON CONFLICT (user_id, document_id) DO UPDATE
      SET seen_version = greatest(known.seen_version, excluded.seen_version)`.execute(kysely)
}

/** The place where an owner stopped reading a document; null if they never read it. */
export async function placeIn(
  db: Kysely<Schema>,
  { userId, documentId }: Reading,
): Promise<Place | null> {
  const row = await db
    .selectFrom('readings')
    .select(['page', 'readAt'])
    .where('userId', '=', userId)
    .where('documentId', '=', documentId)
    .executeTakeFirst()
  return row ? presentPlace(row) : null
}

export function presentPlace({
  page,
  readAt,
}: {
  page: number | null
  readAt: Date | null
}): Place | null {
  return page === null || readAt === null ? null : { page, at: readAt.toISOString() }
}

/** Stores a place unless a later one is stored already; returns the stored one. */
export async function writePlace(
  db: Kysely<Schema>,
  { userId, documentId }: Reading,
  { page, at }: { page: number; at: Date },
): Promise<Place> {
  const { rows } = await sql<{ page: number; readAt: Date }>`
    INSERT INTO readings AS known (user_id, document_id, page, read_at)
    VALUES (${userId}, ${documentId}, ${page}, ${at})
    ON CONFLICT (user_id, document_id) DO UPDATE SET
      page = CASE WHEN known.read_at > excluded.read_at THEN known.page ELSE excluded.page END,
      read_at = greatest(known.read_at, excluded.read_at)
    RETURNING page, read_at`.execute(db)
  const [kept] = rows
  return { page: kept?.page ?? page, at: (kept?.readAt ?? at).toISOString() }
}

/**
 * Moves the reading positions of one account to another; if both have read a document, the later
 * one stays.
 */
export async function mergeReadings(
  db: Kysely<Schema>,
  { fromId, intoId }: { fromId: number; intoId: number },
): Promise<void> {
  await sql`
    WITH gone AS (DELETE FROM readings WHERE user_id = ${fromId} RETURNING *)
    INSERT INTO readings AS kept (user_id, document_id, seen_version, page, read_at)
    SELECT ${intoId}, document_id, seen_version, page, read_at FROM gone
    ON CONFLICT (user_id, document_id) DO UPDATE SET
      seen_version = greatest(kept.seen_version, excluded.seen_version),
      page = CASE WHEN kept.read_at >= excluded.read_at OR excluded.read_at IS NULL
        THEN kept.page ELSE excluded.page END,
      read_at = greatest(kept.read_at, excluded.read_at)`.execute(db)
}
