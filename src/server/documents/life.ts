import { sql } from 'kysely'
import {
  isOpen,
  isReviewed,
  SUBMISSIONS_MAX,
  SUBMISSIONS_WINDOW_MS,
} from '../../rules/document-life.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { noteChange } from './history.ts'
import { changeDocument, type Editor, requireComplete } from './locked.ts'
import type { DocumentRow } from './read-documents.ts'
import { decideVersion, dropFile, isBehindNewest, newestVersion, submitNewest } from './versions.ts'

interface Of {
  readonly id: number
  readonly editor: Editor
  /** Throws if the reason for the change no longer holds, once the document is locked. */
  readonly still?: (tx: Tx) => Promise<void>
}

/** Submits a complete document for review; does nothing if it is already waiting. */
export function submit(deps: Deps, of: Of): Promise<DocumentRow> {
  return changeDocument(deps, of, async ({ tx, document, actor, update }) => {
    const { id, state } = document
    if (state === 'submitted') return
    // A document that the shop took down returns to sale only by a review.
    if (!isOpen(state) && !(state === 'unpublished' && document.isTakenDown)) {
      throw fault('document_state_changed')
    }
    requireComplete(document)
    if (await isBehindNewest(tx, document, document.correctionPage)) {
      throw fault('correction_not_in_file')
    }
    await refuseTooManySubmissions(tx, actor, deps.now())
    await update({ state: 'submitted' })
    await submitNewest(tx, id)
    await noteChange(tx, { documentId: id, actor, action: 'submit' })
  })
}

/** Withdraws a document that waits for review, or else the new version of its file. */
export function withdraw(deps: Deps, of: Of): Promise<DocumentRow> {
  return changeDocument(deps, of, async ({ tx, document, actor, update }) => {
    const { id: documentId, firstPublishedAt } = document
    const newest = await newestVersion(tx, documentId)
    const version = newest?.state === 'submitted' ? newest : null
    if (document.state === 'submitted') {
      await update({ state: firstPublishedAt ? 'unpublished' : 'draft' })
      if (version && !firstPublishedAt) {
        await decideVersion(tx, { documentId, number: version.number }, { actor, state: 'draft' })
      }
      await noteChange(tx, { documentId, actor, action: 'withdraw' })
      return
    }
    if (!version) throw fault('document_state_changed')
    await decideVersion(tx, { documentId, number: version.number }, { actor, state: 'withdrawn' })
    await dropFile(tx, documentId, version)
    await noteChange(tx, { documentId, actor, action: 'withdraw version', version: version.number })
    await update({})
  })
}

/**
 * Takes a document off sale; its buyers keep it. A document that the shop takes down returns to
 * sale only by a review.
 */
export function unpublish(deps: Deps, of: Of, reason: string | null): Promise<DocumentRow> {
  return changeDocument(deps, of, async ({ tx, document, actor, update }) => {
    await of.still?.(tx)
    const isTakenDown = !('teacherId' in of.editor)
    if (document.state === 'unpublished' && document.isTakenDown >= isTakenDown) return
    if (!isReviewed(document.state)) throw fault('document_state_changed')
    await update({ state: 'unpublished', isTakenDown })
    await noteChange(tx, { documentId: document.id, actor, action: 'unpublish', reason })
  })
}

/**
 * Publishes an unpublished document again. Throws `document_taken_down` for a teacher if the shop
 * took it down.
 */
export function publishAgain(deps: Deps, of: Of): Promise<DocumentRow> {
  return changeDocument(deps, of, async ({ tx, document, actor, update }) => {
    await of.still?.(tx)
    if (document.state === 'published') return
    if (document.state !== 'unpublished') throw fault('document_state_changed')
    if (document.isTakenDown && 'teacherId' in of.editor) throw fault('document_taken_down')
    requireComplete(document)
    await update({ state: 'published', isTakenDown: false })
    await noteChange(tx, { documentId: document.id, actor, action: 'publish' })
  })
}

/** Throws `too_many_submissions` if an actor submits more than reviewers can handle. */
export async function refuseTooManySubmissions(tx: Tx, actor: string, now: number): Promise<void> {
  const since = new Date(now - SUBMISSIONS_WINDOW_MS)
  const { rows } = await sql<{ count: number; first: Date | null }>`
    SELECT count(*) AS count, min(made_at) AS first FROM document_events
    WHERE actor = ${actor} AND made_at > ${since} AND action IN ('submit', 'submit version')
    `.execute(tx)
  const { count = 0, first = null } = rows[0] ?? {}
  if (count < SUBMISSIONS_MAX || !first) return
  const retryAfter = Math.ceil((first.getTime() - since.getTime()) / 1000)
  throw fault('too_many_submissions', { retryAfter })
}
