import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../database/schema.ts'
import { type LibraryFile, newestVersion } from '../find-file.ts'

export interface ArchivedFile extends LibraryFile {
  readonly documentId: number
  readonly purchasedAt: Date
  readonly version: number
  /** Whether the file has replaced the bought one and the buyer has not received it yet. */
  readonly isNew: boolean
}

/**
 * The files of a customer's purchases, the latest first; if documents are chosen, only those. Empty
 * for a blocked account.
 */
export async function boughtFiles(
  db: Kysely<Schema>,
  { userId, documentIds }: { userId: number; documentIds: readonly number[] | null },
): Promise<ArchivedFile[]> {
  const { rows } = await sql<ArchivedFile>`
    SELECT d.id AS document_id, p.purchased_at, d.title, f.storage_key, f.media_type, f.file_type,
      f.size, f.sha256, coalesce(newest.number, 1) AS version,
      coalesce(newest.number > coalesce(r.seen_version, 0) AND newest.decided_at > p.purchased_at,
        false) AS is_new
    FROM purchases p
    JOIN users u ON u.id = p.user_id AND u.blocked_at IS NULL
    JOIN documents d ON d.id = p.document_id
    JOIN files f ON f.id = d.file_id
    LEFT JOIN readings r ON r.document_id = d.id AND r.user_id = p.user_id
    LEFT JOIN LATERAL (${newestVersion}) AS newest ON true
    WHERE p.user_id = ${userId}
      AND (${documentIds === null} OR d.id = ANY (${[...(documentIds ?? [])]}::integer[]))
    ORDER BY p.purchased_at DESC, p.id DESC`.execute(db)
  return rows
}
