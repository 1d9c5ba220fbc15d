import { type Kysely, sql } from 'kysely'
import type { Schema } from '../database/schema.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'

/**
 * Inserts the accepted version 1 of documents that were inserted as published; others keep their
 * versions.
 */
export async function writeFirstVersions(db: Kysely<Schema>): Promise<void> {
  await sql`
    INSERT INTO document_versions
      (document_id, number, file_id, state, created_at, created_by, decided_at, decided_by)
    SELECT id, 1, file_id, 'accepted', uploaded_at, ${COMMAND_LINE}::text, uploaded_at,
      ${COMMAND_LINE}::text
    FROM documents d
    WHERE first_published_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM document_versions WHERE document_id = d.id)
    -- Another writer at the same time may have given this document its version.
    ON CONFLICT DO NOTHING`.execute(db)
}
