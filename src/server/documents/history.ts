import { type Kysely, type Selectable, sql } from 'kysely'
import type { DocumentAction, DocumentField } from '../../rules/document-life.ts'
import { logStaff } from '../accounts/accounts.ts'
import type { Schema } from '../database/schema.ts'
import type { Tx } from '../database/transaction.ts'

export type EventRow = Selectable<Schema['documentEvents']>

export type VersionRow = Selectable<Schema['documentVersions']> & {
  pageCount: number | null
  size: number | null
}

/** A change of a document's life. */
export interface Change {
  readonly documentId: number
  /** Who: `user 12`, `command line`. */
  readonly actor: string
  readonly action: DocumentAction
  readonly version?: number | null
  readonly reason?: string | null
  readonly field?: DocumentField | null
}

/** Notes a change in the document's history and in the log of what staff do. */
export async function noteChange(tx: Tx, { documentId, actor, action, ...why }: Change) {
  const { version = null, reason = null, field = null } = why
  await tx
    .insertInto('documentEvents')
    .values({ documentId, actor, action, version, reason, field })
    .execute()
  await logStaff(tx, {
    actor,
    action: `document: ${action}`,
    subject: subjectOf(documentId),
    reason,
  })
}

/** How the log of staff names a document. */
export const subjectOf = (id: number): string => `document ${id}`

/** The changes of a document, newest first. */
export async function eventsOf(db: Kysely<Schema>, documentId: number): Promise<EventRow[]> {
  return await db
    .selectFrom('documentEvents')
    .selectAll()
    .where('documentId', '=', documentId)
    .orderBy('id', 'desc')
    .limit(EVENTS_SHOWN)
    .execute()
}

/** The versions of a document's file, newest first. */
export async function versionsOf(db: Kysely<Schema>, documentId: number): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    SELECT v.*, f.page_count, f.size
    FROM document_versions v LEFT JOIN files f ON f.id = v.file_id
    WHERE v.document_id = ${documentId} ORDER BY v.number DESC LIMIT ${EVENTS_SHOWN}`.execute(db)
  return rows
}

/** The most lines of a history that are shown. */
const EVENTS_SHOWN = 200
