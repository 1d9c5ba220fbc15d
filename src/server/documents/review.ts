import { sql } from 'kysely'
import type { DocumentField } from '../../rules/document-fields.ts'
import type { DocumentAction } from '../../rules/document-life.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { type ApiFault, fault } from '../http/errors.ts'
import { announceVersion } from '../library/library.ts'
import { doneBefore } from '../staff-log/staff-log.ts'
import { noteChange, subjectOf } from './history.ts'
import { type Changing, changeDocument, requireComplete } from './locked.ts'
import type { DocumentRow } from './read-documents.ts'
import { decideVersion, type Newest, newestVersion } from './versions.ts'

interface Decided {
  readonly id: number
  readonly actor: string
  /** The document's revision that was reviewed; absent to decide about the current state. */
  readonly revision?: number
}

/**
 * Publishes a submitted document, or releases the new version of its file to buyers. Throws
 * `done_before`, `review_not_waiting`, `review_changed`, `document_incomplete`.
 */
export function accept(deps: Deps, { id, actor, revision }: Decided): Promise<DocumentRow> {
  return changeDocument(deps, { id, editor: { actor } }, async (changing) => {
    const { tx, document, update } = changing
    const version = await waitingIn(changing, revision)
    if (version)
      await decideVersion(tx, { documentId: id, ...version }, { actor, state: 'accepted' })
    if (version && document.firstPublishedAt) {
      await announceVersion(tx, { documentId: id, version: version.number })
    }
    const fileId = version?.fileId ?? document.fileId
    if (document.state !== 'submitted') {
      await update({ fileId })
      const action = 'accept version'
      return await noteChange(tx, { documentId: id, actor, action, version: version?.number })
    }
    requireComplete({ ...document, fileId })
    const now = new Date(deps.now())
    await update({
      fileId,
      state: 'published',
      isTakenDown: false,
      // A document counts as new from its first sale, not from its first draft.
      ...(document.firstPublishedAt ? {} : { firstPublishedAt: now, uploadedAt: now }),
    })
    await noteChange(tx, { documentId: id, actor, action: 'publish', version: version?.number })
  })
}

/**
 * Returns a document or version that waits for review to its teacher, with the reason and the field
 * concerned. Throws `done_before`, `review_not_waiting`, `review_changed`.
 */
export function returnToTeacher(
  deps: Deps,
  { id, actor, revision }: Decided,
  why: { reason: string; field: DocumentField | null },
): Promise<DocumentRow> {
  return changeDocument(deps, { id, editor: { actor } }, async (changing) => {
    const { tx, document, update } = changing
    const version = await waitingIn(changing, revision)
    const isDocument = document.state === 'submitted'
    if (version) {
      const { reason } = why
      await decideVersion(tx, { documentId: id, ...version }, { actor, state: 'returned', reason })
    }
    await update(isDocument ? { state: 'returned' } : {})
    const action = isDocument ? 'return' : 'return version'
    await noteChange(tx, { documentId: id, actor, action, version: version?.number, ...why })
  })
}

/**
 * The version that waits, if any; throws if nothing waits, or if it is not the part that was
 * reviewed.
 */
async function waitingIn(
  { tx, document }: Changing,
  revision: number | undefined,
): Promise<Newest | null> {
  const newest = await newestVersion(tx, document.id)
  const version = newest?.state === 'submitted' ? newest : null
  if (document.state !== 'submitted' && !version) throw await whyNothingWaits(tx, document.id)
  if (revision !== undefined && revision !== document.revision) throw fault('review_changed')
  return version
}

const DECISIONS: readonly DocumentAction[] = [
  'publish',
  'return',
  'accept version',
  'return version',
]

/** The fault if nothing waits: somebody has decided about it, or its teacher has withdrawn it. */
async function whyNothingWaits(tx: Tx, id: number): Promise<ApiFault> {
  const { rows } = await sql<{ action: DocumentAction }>`
    SELECT action FROM document_events WHERE document_id = ${id} ORDER BY id DESC LIMIT 1`.execute(
    tx,
  )
  const [last] = rows
  const isDecided = last !== undefined && DECISIONS.includes(last.action)
  const actions = DECISIONS.map((action) => `document: ${action}` as const)
  const done = isDecided ? await doneBefore(tx, { subject: subjectOf(id), actions }) : undefined
  return done ?? fault('review_not_waiting')
}
