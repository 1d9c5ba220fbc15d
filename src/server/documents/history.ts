import { type Kysely, type Selectable, sql } from 'kysely'
import type { DocumentField } from '../../rules/document-fields.ts'
import type { DocumentAction } from '../../rules/document-life.ts'
import type { ChangedAmounts } from '../database/document-tables.ts'
import type { Schema } from '../database/schema.ts'
import type { Tx } from '../database/transaction.ts'
import { logStaff } from '../staff-log/staff-log.ts'

export type EventRow = Selectable<Schema['documentEvents']>

export type VersionRow = Selectable<Schema['documentVersions']> & {
  pageCount: number | null
  size: number | null
}

export interface Change {
  readonly documentId: number
  /** The actor: `user 12`, `command line`. */
  readonly actor: string
  readonly action: DocumentAction
  readonly version?: number | null
  readonly reason?: string | null
  readonly field?: DocumentField | null
  /** The change of its price. */
  readonly amounts?: ChangedAmounts | null
}

/** Writes changes into the histories of their documents and into the staff log. */
export async function noteChange(tx: Tx, ...changes: readonly Change[]) {
  const events = changes.map(
    ({ documentId, actor, action, version = null, reason = null, field = null, amounts }) => {
      const noted = amounts ? JSON.stringify(amounts) : null
      return { documentId, actor, action, version, reason, field, amounts: noted }
    },
  )
  await tx.insertInto('documentEvents').values(events).execute()
  const actions = events.map(({ documentId, actor, action, reason }) => {
    return { actor, action: `document: ${action}` as const, subject: subjectOf(documentId), reason }
  })
  await logStaff(tx, ...actions)
}

export const subjectOf = (id: number) => ({ kind: 'document', id })

export async function eventsOf(db: Kysely<Schema>, documentId: number): Promise<EventRow[]> {
  return await db
    .selectFrom('documentEvents')
    .selectAll()
    .where('documentId', '=', documentId)
    .orderBy('id', 'desc')
    .limit(EVENTS_SHOWN)
    .execute()
}

export async function versionsOf(db: Kysely<Schema>, documentId: number): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    SELECT v.*, f.page_count, f.size
    FROM document_versions v LEFT JOIN files f ON f.id = v.file_id
    WHERE v.document_id = ${documentId} ORDER BY v.number DESC LIMIT ${EVENTS_SHOWN}`.execute(db)
  return rows
}

/** How many events or versions are shown at most. */
const EVENTS_SHOWN = 200
