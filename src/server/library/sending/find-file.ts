import { type Kysely, sql } from 'kysely'
import { EARLIER_VERSION_MS } from '../../../rules/downloads.ts'
import type { Schema } from '../../database/schema.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'

export interface LibraryFile {
  readonly title: string
  readonly storageKey: string
  readonly mediaType: string
  readonly fileType: string
  readonly size: number
  readonly sha256: string
}

export interface BoughtFile extends LibraryFile {
  readonly version: number
  readonly pageCount: number | null
  /** Whether a newer version has replaced it. */
  readonly isEarlier: boolean
}

/** `version` selects an accepted version other than the newest. */
interface FileRequest {
  readonly userId: number
  readonly documentId: number
  readonly version?: number | undefined
}

/**
 * The file of a document that this customer bought, or the reason why they do not get it; a blocked
 * account counts as one that has bought nothing.
 * `not offered` means that they never had the version, or that it was replaced too long before
 * `now` (milliseconds since 1970).
 */
export async function findFile(
  db: Kysely<Schema>,
  { userId, documentId, version }: FileRequest,
  now: number,
): Promise<BoughtFile | 'unknown' | 'not bought' | 'not offered'> {
  const { rows } = await sql<BoughtFile & { isOwned: boolean; isPublished: boolean }>`
    SELECT ${fileColumns}, f.page_count, coalesce(newest.number, 1) AS version,
      false AS is_earlier, d.is_published, p.id IS NOT NULL AS is_owned
    FROM documents d
    JOIN files f ON f.id = d.file_id
    LEFT JOIN (purchases p JOIN users u ON u.id = p.user_id AND u.blocked_at IS NULL)
      ON p.document_id = d.id AND p.user_id = ${userId}
    LEFT JOIN LATERAL (${newestVersion}) AS newest ON true
    WHERE d.id = ${documentId}`.execute(db)
  const [row] = rows
  if (!row) return 'unknown'
  if (!row.isOwned) return row.isPublished ? 'not bought' : 'unknown'
  if (version === undefined || version === row.version) return row
  return (await findEarlier(db, { userId, documentId, version }, now)) ?? 'not offered'
}

/** What `LibraryFile` has, of the document `d` and its file `f`. */
export const fileColumns = sql`d.title, f.storage_key, f.media_type, f.file_type, f.size, f.sha256`

/** The newest accepted version of the document `d`. */
export const newestVersion = sql`
  SELECT number, decided_at FROM document_versions
  WHERE document_id = d.id AND state = 'accepted' ORDER BY number DESC LIMIT 1`

/** A version that the customer had, as long as it may be downloaded after its replacement. */
async function findEarlier(
  db: Kysely<Schema>,
  { userId, documentId, version }: Required<FileRequest>,
  now: number,
): Promise<BoughtFile | undefined> {
  const { rows } = await sql<BoughtFile>`
    SELECT ${fileColumns}, f.page_count, v.number AS version,
      true AS is_earlier
    FROM documents d
    JOIN purchases p ON p.document_id = d.id AND p.user_id = ${userId}
    JOIN document_versions v ON v.document_id = d.id AND v.number = ${version ?? 0}
      AND v.state = 'accepted'
    JOIN files f ON f.id = v.file_id
    JOIN LATERAL (
      SELECT decided_at FROM document_versions
      WHERE document_id = d.id AND state = 'accepted' AND number > v.number
      ORDER BY number LIMIT 1
    ) AS replaced ON true
    WHERE d.id = ${documentId} AND replaced.decided_at > p.purchased_at
      AND replaced.decided_at > ${new Date(now - EARLIER_VERSION_MS)}`.execute(db)
  return rows[0]
}

/** For the teacher whose account this is, and for administrators. */
export async function findOwnFile(
  db: Kysely<Schema>,
  { userId, documentId, version }: { userId: number; documentId: number; version: number },
): Promise<LibraryFile | 'unknown'> {
  const { rows } = await sql<LibraryFile>`
    SELECT ${fileColumns}
    FROM documents d
    JOIN teachers t ON t.id = d.teacher_id
    JOIN users u ON u.id = ${userId} AND u.blocked_at IS NULL
      AND (u.id = t.user_id OR u.role = 'ADMIN')
    JOIN document_versions v ON v.document_id = d.id AND v.number = ${version}
    JOIN files f ON f.id = v.file_id
    WHERE d.id = ${documentId}`.execute(db)
  return rows[0] ?? 'unknown'
}

/** Throws `document_not_found`, `not_permitted`, `version_not_offered`. */
export async function boughtFile(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  request: FileRequest,
): Promise<BoughtFile> {
  const file = await findFile(database.kysely, request, now())
  if (file === 'unknown') throw fault('document_not_found')
  if (file === 'not bought') throw fault('not_permitted')
  if (file === 'not offered') throw fault('version_not_offered')
  return file
}
