import { type Selectable, sql } from 'kysely'
import type { DocumentText } from '../../contract/office-documents.ts'
import type { Reason } from '../../contract/values.ts'
import { UNAPPROVED_DRAFTS_MAX } from '../../rules/approval.ts'
import { DRAFTS_MAX } from '../../rules/document-life.ts'
import { isOwnKind } from '../../rules/papers.ts'
import { searchText } from '../catalogue/catalogue.ts'
import type { Schema } from '../database/schema.ts'
import { isApproved } from '../database/sql-parts.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { once } from '../http/idempotency.ts'
import { describeChanges, logStaff } from '../staff-log/staff-log.ts'
import { factsForCorrection, paperProblem } from './corrections.ts'
import { noteChange, subjectOf } from './history.ts'
import { listReference } from './import/owner.ts'
import {
  changeDocument,
  type Editor,
  forgetFile,
  type LockedDocument,
  requireComplete,
} from './locked.ts'
import type { DocumentRow } from './read-documents.ts'
import { findDocument } from './read-documents.ts'
import { isBehindNewest } from './versions.ts'

/** The teacher whose documents are changed, with their account. */
export interface Author {
  readonly teacherId: number
  readonly userId: number
  /** The person who acts, as the history names them. */
  readonly actor: string
}

/**
 * Creates a draft, once for each key: an empty one, or that of a paper's correction. Throws
 * `too_many_drafts`, `unapproved_full`, `corrections_full`, and `document_not_found` for what cannot be its paper.
 */
export async function createDraft(
  deps: Deps,
  author: Author,
  key: string,
  correctionOf?: number,
): Promise<DocumentRow> {
  const { teacherId, userId } = author
  const request = ['create document', ...(correctionOf ? [correctionOf] : [])]
  return await transaction(deps.database, async (tx) => {
    const id = await once(tx, { userId, key, request }, async () => {
      await refuseTooMany(tx, teacherId)
      const facts = correctionOf ? await factsForCorrection(tx, correctionOf, teacherId) : {}
      const now = new Date(deps.now())
      const draft = await tx
        .insertInto('documents')
        .values({ ...facts, teacherId, createdAt: now, changedAt: now })
        .returning('id')
        .executeTakeFirstOrThrow()
      await noteChange(tx, { documentId: draft.id, actor: author.actor, action: 'create' })
      return draft.id
    })
    const row = await findDocument(tx, id)
    // The draft of an earlier request with this key has been deleted.
    if (!row) throw fault('document_not_found')
    return row
  })
}

async function refuseTooMany(tx: Tx, teacherId: number): Promise<void> {
  // Locks the teacher, so that simultaneous calls count each other's drafts.
  await sql`SELECT FROM teachers WHERE id = ${teacherId} FOR NO KEY UPDATE`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM documents
    WHERE teacher_id = ${teacherId} AND first_published_at IS NULL
      -- Drafts from imported lists have a separate limit.
      AND reference NOT LIKE ${listReference(teacherId, '%')}`.execute(tx)
  const count = rows[0]?.count ?? 0
  if (count >= DRAFTS_MAX) throw fault('too_many_drafts')
  if (count >= UNAPPROVED_DRAFTS_MAX && !(await isApproved(tx, teacherId))) {
    throw fault('unapproved_full')
  }
}

/**
 * Replaces the whole text of `revision`, or, with null, the current one. The same text again
 * changes nothing. Throws `document_changed`, `document_under_review`, `document_incomplete` for a
 * document that is or was for sale, or `invalid_input` for an unknown subject, class or category, and for
 * a correction that begins behind the last page.
 */
export function saveText(
  deps: Deps,
  of: { id: number; editor: Editor },
  { revision, text }: { revision: number | null; text: DocumentText },
): Promise<DocumentRow> {
  return changeDocument(deps, of, async ({ tx, document, actor, update }) => {
    const { type: audience, ...rest } = text
    const wanted = { ...rest, audience }
    const changes = Object.entries(wanted).filter(
      ([name, value]) => !isSame(document[name as keyof typeof wanted], value),
    )
    if (changes.length === 0) return
    if (document.state === 'submitted') throw fault('document_under_review')
    if (revision !== null && revision !== document.revision) throw fault('document_changed')
    const isWritten = changes.some(([name]) => name === 'correctionPage')
    if (isWritten && (await isBehindNewest(tx, document, wanted.correctionPage ?? null))) {
      throw fault('invalid_input', { fields: { correctionPage: 'max' } })
    }
    const { level, teacher } = await namesOf(tx, document, wanted)
    // What a client leaves out stays as it is.
    const after = { ...document, ...wanted }
    const isOther = changes.some(([name]) => name === 'correctionOf' || name === 'correctionPage')
    const problem = isOther ? await paperProblem(tx, after) : null
    if (problem === 'full') throw fault('corrections_full')
    if (problem) throw fault('invalid_input', { fields: { correctionOf: 'invalid' } })
    if (document.firstPublishedAt) {
      requireComplete({ ...document, ...wanted })
      await noteTextChange(tx, { document, wanted, changes, actor })
    }
    await update({ ...wanted, level, searchText: searchText({ title: wanted.title, teacher }) })
  })
}

/** Whether two values are one, or lists of the same numbers in any order. */
function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other
  return String(one.toSorted()) === String(other.toSorted())
}

/**
 * Writes changed prices into the document's history, which its teacher reads, and all other changes
 * into the staff log alone.
 */
async function noteTextChange(
  tx: Tx,
  {
    document,
    wanted,
    changes,
    actor,
  }: {
    document: LockedDocument
    wanted: Pick<DocumentText, 'price' | 'priceDiscount'>
    changes: readonly [string, unknown][]
    actor: string
  },
): Promise<void> {
  const priced = [
    { name: 'price', action: 'change price' },
    { name: 'priceDiscount', action: 'change discount' },
  ] as const
  const others = changes.filter(([name]) => !priced.some((each) => each.name === name))
  if (others.length > 0) {
    await logStaff(tx, {
      actor,
      action: 'document: change',
      subject: subjectOf(document.id),
      reason: describeChanges(others),
    })
  }
  for (const { name, action } of priced) {
    if (!changes.some(([changed]) => changed === name)) continue
    const amounts = { before: document[name], after: wanted[name] }
    await noteChange(tx, { documentId: document.id, actor, action, amounts })
  }
}

type Entries = 'matiereId' | 'niveauId' | 'categoryId' | 'coverMappingId' | 'paperKind'

/**
 * The names of the entries that the text refers to; throws `invalid_input` for an unknown entry, or
 * a retired one that the document does not have already.
 */
async function namesOf(
  tx: Tx,
  { teacherId, ...before }: LockedDocument,
  {
    matiereId,
    niveauId,
    categoryId,
    coverMappingId = null,
    paperKind = null,
  }: Pick<DocumentText, Entries>,
) {
  const { rows } = await sql<{
    subject: string | null
    level: Selectable<Schema['niveaux']>['level'] | null
    category: string | null
    cover: number | null
    isKnownKind: boolean
    teacher: string
  }>`
    SELECT (SELECT name FROM matieres WHERE id = ${matiereId}
        AND (NOT is_retired OR id = ${before.matiereId})) AS subject,
      (SELECT level FROM niveaux WHERE id = ${niveauId}
        AND (NOT is_retired OR id = ${before.niveauId})) AS level,
      (SELECT name FROM categories WHERE id = ${categoryId}
        AND (NOT is_retired OR id = ${before.categoryId})) AS category,
      (SELECT id FROM cover_mappings WHERE id = ${coverMappingId}
        AND (NOT is_retired OR id = ${before.coverMappingId})) AS cover,
      EXISTS (SELECT FROM paper_kinds WHERE code = ${paperKind ?? ''}::text
        AND (NOT is_retired OR code = ${before.paperKind}::text)) AS is_known_kind,
      (SELECT concat_ws(' ', first_name, last_name, latin_name) FROM teachers WHERE id = ${teacherId}) AS teacher
    `.execute(tx)
  const {
    subject = null,
    level = null,
    category = null,
    cover = null,
    isKnownKind = false,
    teacher = '',
  } = rows[0] ?? {}
  const fields: Record<string, Reason> = {}
  if (matiereId !== null && subject === null) fields.matiereId = 'invalid'
  if (niveauId !== null && level === null) fields.niveauId = 'invalid'
  if (categoryId !== null && category === null) fields.categoryId = 'invalid'
  if (coverMappingId !== null && cover === null) fields.coverMappingId = 'invalid'
  if (paperKind && isOwnKind(paperKind) && !isKnownKind) fields.paperKind = 'invalid'
  if (Object.keys(fields).length > 0) throw fault('invalid_input', { fields })
  return { teacher, level }
}

/** Deletes a draft that was never for sale. Its history stays. */
export async function deleteDraft(deps: Deps, id: number, author: Author): Promise<void> {
  await transaction(deps.database, async (tx) => {
    const document = await tx
      .selectFrom('documents')
      .selectAll()
      .where('id', '=', id)
      .where('teacherId', '=', author.teacherId)
      .forUpdate()
      .executeTakeFirst()
    if (!document) throw fault('document_not_found')
    if (document.firstPublishedAt) throw fault('document_not_deletable')
    if (document.state === 'submitted') throw fault('document_under_review')
    const versions = await tx
      .selectFrom('documentVersions')
      .select('fileId')
      .where('documentId', '=', id)
      .execute()
    await tx.deleteFrom('documents').where('id', '=', id).execute()
    for (const { fileId } of versions) await forgetFile(tx, fileId)
    await noteChange(tx, { documentId: id, actor: author.actor, action: 'delete' })
  })
}
