import { type Kysely, sql } from 'kysely'
import type { UnstampableReason } from '../../../rules/stamp.ts'
import type { Schema } from '../../database/schema.ts'
import type { Deps } from '../../deps.ts'
import { forgetFaults } from '../../workers/workers.ts'

interface Unstamped {
  readonly sha256: string
  readonly reason: UnstampableReason
  /** For the operator, in English. */
  readonly detail: string
}

/** Records once that a file is sent to its buyers unstamped, and notifies the operator. */
export async function noteUnstamped(
  { database, now, report }: Pick<Deps, 'database' | 'now' | 'report'>,
  { sha256, reason, detail }: Unstamped,
): Promise<void> {
  const noted = await database.kysely
    .insertInto('unstampedFiles')
    .values({ sha256, reason, detail, notedAt: new Date(now()) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('sha256')
    .execute()
  if (noted.length > 0) report(`The file ${sha256} goes out without a stamp: ${reason}, ${detail}`)
}

export interface UnstampedFile {
  readonly documentId: number
  readonly title: string
  readonly teacher: string
  readonly reason: UnstampableReason
  readonly detail: string
  readonly notedAt: Date
}

/** The documents whose file is sent to buyers unstamped, the latest first. */
export async function listUnstamped(db: Kysely<Schema>): Promise<UnstampedFile[]> {
  const { rows } = await sql<UnstampedFile>`
    SELECT d.id AS document_id, d.title, trim(t.first_name || ' ' || t.last_name) AS teacher,
      x.reason, x.detail, x.noted_at
    FROM unstamped_files x
    JOIN files f ON f.sha256 = x.sha256
    JOIN documents d ON d.file_id = f.id
    JOIN teachers t ON t.id = d.teacher_id
    ORDER BY x.noted_at DESC, d.id`.execute(db)
  return rows
}

/**
 * Deletes the records of files that could not be stamped, so that the next download of each tries
 * again.
 */
export async function retryUnstamped(db: Kysely<Schema>): Promise<number> {
  await forgetFaults(db, { task: 'blankFooters' })
  const { numDeletedRows } = await db.deleteFrom('unstampedFiles').executeTakeFirst()
  return Number(numDeletedRows)
}
