import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../database/schema.ts'
import { forgetFaults } from '../../workers/workers.ts'

interface UndrawnSample {
  readonly documentId: number
  readonly title: string
  readonly teacher: string
  readonly failedAt: Date
  /** For the operator, in English. */
  readonly trouble: string
  /** Whether another attempt is due. */
  readonly isDue: boolean
}

/** The documents on sale whose pages cannot be drawn, the latest first. */
export async function listUndrawn(db: Kysely<Schema>): Promise<UndrawnSample[]> {
  const { rows } = await sql<UndrawnSample>`
    SELECT d.id AS document_id, d.title, trim(t.first_name || ' ' || t.last_name) AS teacher,
      s.failed_at, s.trouble, s.due_at IS NOT NULL AS is_due
    FROM samples s
    JOIN documents d ON d.id = s.document_id
    JOIN teachers t ON t.id = d.teacher_id
    WHERE s.failed_at IS NOT NULL AND d.state = 'published'
    ORDER BY s.failed_at DESC, d.id`.execute(db)
  return rows
}

/** Makes the samples that cannot be drawn due again. */
export async function retryUndrawn(db: Kysely<Schema>, now: number): Promise<void> {
  for (const task of ['pagePicture', 'readPages']) await forgetFaults(db, { task })
  await sql`UPDATE samples SET due_at = ${new Date(now)}, tries = 0
    WHERE failed_at IS NOT NULL AND due_at IS NULL`.execute(db)
}
