import { type Kysely, sql } from 'kysely'
import type { SampledPage } from '../../database/document-tables.ts'
import type { Schema } from '../../database/schema.ts'
import type { Pdf } from '../pages/pictures.ts'

/** A document that is for sale, with its file and the state of its sample. */
export interface SampleRow extends Pdf {
  readonly documentId: number
  readonly title: string
  readonly fileSize: number
  readonly fileDate: Date
  readonly pageCount: number | null
  readonly isPriced: boolean
  readonly chosen: number[] | null
  readonly key: string | null
  readonly pages: SampledPage[] | null
  /** Whether the sample must be made again, because its file or its pages have changed. */
  readonly isDue: boolean
  /** How often reading or drawing it has failed. */
  readonly tries: number
}

/** The sample of a published document; undefined if there is no such document. */
export async function findSample(db: Kysely<Schema>, id: number): Promise<SampleRow | undefined> {
  const { rows } = await sql<SampleRow>`
    SELECT d.id AS "documentId", d.title, d.sample_pages AS chosen,
      f.storage_key AS "storageKey", f.sha256, f.size AS "fileSize", f.page_count AS "pageCount", d.price > 0 AS "isPriced",
      coalesce(version.decided_at, d.uploaded_at) AS "fileDate",
      s.key, s.pages, s.due_at IS NOT NULL AS "isDue",
      coalesce(s.tries, 0) AS tries
    FROM documents d
    JOIN files f ON f.id = d.file_id
    LEFT JOIN samples s ON s.document_id = d.id
    LEFT JOIN LATERAL (
      SELECT decided_at FROM document_versions
      WHERE document_id = d.id AND state = 'accepted' AND file_id = d.file_id
      ORDER BY number DESC LIMIT 1
    ) AS version ON true
    WHERE d.id = ${id} AND d.is_published`.execute(db)
  return rows[0]
}
