import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { NamedEvent, REVIEWED, SameFile } from '../../contract/office-review.ts'
import { conditionsOf } from '../catalogue/catalogue.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn } from '../database/sql-parts.ts'
import { actorNames } from '../staff-log/staff-log.ts'
import { type EventRow, eventsOf, type VersionRow, versionsOf } from './history.ts'
import { presentEvent } from './present.ts'
import { type DocumentRow, findDocument, readDocuments } from './read-documents.ts'

/** The part of a document that waits for review, and since when. */
interface Waits {
  readonly id: number
  readonly what: (typeof REVIEWED)[number]
  readonly since: Date
}

/** A document that waits for review. */
export type WaitingRow = DocumentRow & Waits

/**
 * Everything that waits for review: `id, what, since`. The wait of a document begins when it is
 * submitted, not at its last change: its price may change meanwhile.
 */
export const WAITING_FOR_REVIEW = sql`(
  SELECT d.id, 'document' AS what, coalesce((
      SELECT made_at FROM document_events
      WHERE document_id = d.id AND action = 'submit' ORDER BY id DESC LIMIT 1
    ), d.changed_at) AS since
  FROM documents d WHERE d.state = 'submitted'
  UNION ALL
  SELECT v.document_id, 'version', v.created_at
  FROM document_versions v JOIN documents d ON d.id = v.document_id
  WHERE v.state = 'submitted' AND d.state <> 'submitted'
)`

/** Filters by kind, and by words of title, subject and teacher. */
export interface WaitingFilters {
  readonly what?: Waits['what'] | undefined
  readonly q?: string | undefined
  readonly limit?: number
  readonly offset?: number
}

/** A page of the items that wait for review, oldest first, and their total number. */
export async function readWaiting(
  db: Kysely<Schema>,
  { what, q = '', limit, offset = 0 }: WaitingFilters = {},
): Promise<{ rows: WaitingRow[]; total: number }> {
  const conditions: RawBuilder<unknown>[] = [
    sql`true`,
    ...(what ? [sql`w.what = ${what}`] : []),
    ...(await conditionsOf(db, q)),
  ]
  const from = sql`FROM ${WAITING_FOR_REVIEW} w JOIN documents d ON d.id = w.id
    WHERE ${sql.join(conditions, sql` AND `)}`
  const { rows: waiting } = await sql<Waits>`
    SELECT w.* ${from} ORDER BY w.since, w.id LIMIT ${limit ?? null} OFFSET ${offset}`.execute(db)
  const { rows: counts } = await sql<{ total: number }>`
    SELECT count(*)::integer AS total ${from}`.execute(db)
  const ids = waiting.map(({ id }) => id)
  const documents = await readDocuments(db, sql`d.id = ANY (${ids}::integer[])`)
  const byId = new Map(documents.map((document) => [document.id, document]))
  return {
    // A document deleted since the first statement is left out.
    rows: waiting.flatMap((one) => {
      const document = byId.get(one.id)
      return document ? [{ ...document, ...one }] : []
    }),
    total: counts[0]?.total ?? 0,
  }
}

/** Everything needed to decide about a document; undefined if it does not exist. */
export async function readReview(db: Kysely<Schema>, id: number) {
  const document = await findDocument(db, id)
  if (!document) return undefined
  const { rows } = await sql<Waits>`
    SELECT w.* FROM ${WAITING_FOR_REVIEW} w WHERE w.id = ${id}`.execute(db)
  const versions = await versionsOf(db, id)
  return {
    document,
    waits: rows[0] ?? null,
    versions,
    ...shownOf(versions),
    history: await named(db, await eventsOf(db, id), document),
    sameFile: await sameFileAs(db, id),
  }
}

/** The version that buyers have, or would get: the newest one whose file still exists. */
function shownOf(versions: readonly VersionRow[]) {
  const kept = versions.filter(({ fileId }) => fileId !== null)
  const proposed = kept[0]?.number ?? null
  const accepted = kept.find(({ state }) => state === 'accepted')?.number ?? null
  return { proposed, current: accepted === proposed ? null : accepted }
}

/** The history with the names of staff and of the teacher. */
async function named(
  db: Kysely<Schema>,
  events: readonly EventRow[],
  document: DocumentRow,
): Promise<NamedEvent[]> {
  const names = await actorNames(db, [...new Set(events.map(({ actor }) => actor))])
  return events.map((event) => {
    const presented = presentEvent(event, document)
    const who = presented.by === 'teacher' ? document.teacherName : names.get(event.actor)
    return { ...presented, who: who ?? event.actor }
  })
}

/** How many documents with the same file are named at most. */
const SAME_FILES_SHOWN = 5

/** Other documents that have, or had, a file with the same bytes as the newest of this one. */
async function sameFileAs(db: Kysely<Schema>, id: number): Promise<SameFile[]> {
  const { rows } = await sql<SameFile>`
    SELECT DISTINCT d.id, d.title, ${fullNameIn('t')} AS teacher
    FROM (
      SELECT f.storage_key FROM document_versions v JOIN files f ON f.id = v.file_id
      WHERE v.document_id = ${id} ORDER BY v.number DESC LIMIT 1
    ) AS newest
    -- The key of a file is the hash of its bytes.
    JOIN files f ON f.storage_key = newest.storage_key
    JOIN document_versions v ON v.file_id = f.id AND v.document_id <> ${id}
    JOIN documents d ON d.id = v.document_id
    JOIN teachers t ON t.id = d.teacher_id
    ORDER BY d.id LIMIT ${SAME_FILES_SHOWN}`.execute(db)
  return rows
}
