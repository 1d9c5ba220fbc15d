import { sql } from 'kysely'
import { isReviewed } from '../../../rules/document-life.ts'
import { fullName } from '../../../rules/full-name.ts'
import { CATALOGUE_TAG, documentTag, TEACHERS_TAG, teacherTag } from '../../../rules/page-tags.ts'
import { searchText } from '../../catalogue/catalogue.ts'
import type { Tx } from '../../database/transaction.ts'
import { paperProblem } from '../corrections.ts'
import { type Change, noteChange } from '../history.ts'
import { forgetFile } from '../locked.ts'
import {
  decideVersion,
  dropFile,
  insertVersion,
  newestVersion,
  replaceDraftFile,
  submitNewest,
  writeFile,
  writeFiles,
} from '../versions.ts'
import type { ListedDocument } from './check-rows.ts'
import { columnOf, type ImportState } from './columns.ts'
import type { StoredDocument } from './files.ts'
import {
  draftsProblem,
  isSampleChanged,
  type KnownDocument,
  knownProblem,
  readKnown,
} from './known.ts'
import type { ListOwner } from './owner.ts'
import { ImportRefused } from './problems.ts'

export interface Imported {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  /** The tags of the pages that show the changes. */
  readonly tags: readonly string[]
}

/** The advisory lock that an import holds while it writes; no other code uses this number. */
export const IMPORTING = 7_201_958

/** How many documents one statement creates. */
const BATCH = 50

/**
 * Writes all documents of a list, or none: creates new ones, and changes what differs in others.
 */
export async function writeList(
  tx: Tx,
  documents: readonly StoredDocument[],
  owner: ListOwner,
): Promise<Imported> {
  const change = owner.teacher ? changeOwn : changeListed
  // Imports write one after the other, so that the second finds the documents of the first.
  await sql`SELECT pg_advisory_xact_lock(${IMPORTING})`.execute(tx)
  const known = await readKnown(
    tx,
    documents.map(({ reference }) => reference),
  )
  const problems = documents.flatMap((each) => {
    const { sha256 } = each.pdf
    const file = { sha256, coverPath: each.coverPath }
    return knownProblem(each, known.get(each.reference), owner, file) ?? []
  })
  const drafts = await draftsProblem(tx, documents.length - known.size, owner)
  if (drafts) problems.push(drafts)
  if (problems.length > 0) throw new ImportRefused(problems)

  const own = owner.teacher && {
    id: owner.teacher.id,
    names: owner.teacher.names,
  }
  const teachers = own ? new Map() : await writeTeachers(tx, documents)
  const counts = { created: 0, changed: 0, unchanged: 0 }
  const tags = new Set<string>()
  const listed = documents.map((document): NewDocument => {
    const teacher = own ?? teachers.get(document.teacher.email)
    if (!teacher) throw new Error(`${document.teacher.email} is no teacher`)
    return { document, columns: columnsOf(document, teacher) }
  })
  for (const { document, columns } of listed) {
    const { row, reference, correctionOf } = document
    const before = known.get(reference)
    const after = { ...before, ...columns, id: before?.id ?? null }
    if (correctionOf && correctionOf !== before?.correctionOf && (await paperProblem(tx, after))) {
      const problem = { row, column: columnOf('correctionOf'), code: 'not_listed' } as const
      throw new ImportRefused([{ ...problem, detail: String(correctionOf) }])
    }
  }
  for (let at = 0; at < listed.length; at += BATCH) {
    const batch = listed.slice(at, at + BATCH)
    const fresh = batch.filter(({ document }) => !known.has(document.reference))
    const created = await createDocuments(tx, fresh, owner.actor)
    for (const { document, columns } of batch) {
      const before = known.get(document.reference)
      const id = before
        ? await change(tx, before, document, columns, owner.actor)
        : (created.get(document.reference) ?? null)
      counts[before ? (id === null ? 'unchanged' : 'changed') : 'created'] += 1
      // Documents that were never for sale are on no page.
      if (id === null || !(before?.firstPublishedAt || isReviewed(document.state))) continue
      for (const tag of [documentTag(id), teacherTag(columns.teacherId)]) tags.add(tag)
    }
  }
  if (tags.size > 0) tags.add(CATALOGUE_TAG).add(TEACHERS_TAG)
  return { ...counts, tags: [...tags] }
}

/** The columns of a document that a list writes, besides its file, its sample and its state. */
type Columns = ReturnType<typeof columnsOf>

/** The columns of a listed document, whose teacher has these names. */
function columnsOf(document: StoredDocument, { id, names }: { id: number; names: string }) {
  const { row, reference, teacher, file, cover, pdf, samplePages, state, ...columns } = document
  const { title } = document
  return { ...columns, teacherId: id, searchText: searchText({ title, teacher: names }) }
}

/** Whether a list differs from the shop in any of a document's columns. */
function isTextChanged(before: KnownDocument, columns: Columns): boolean {
  // These two columns derive from the others.
  const { searchText: _, level: __, ...compared } = columns
  return (Object.keys(compared) as (keyof typeof compared)[]).some(
    (name) => String(before[name]) !== String(compared[name]),
  )
}

interface NewDocument {
  readonly document: StoredDocument
  readonly columns: Columns
}

/** The first version and history of a new document, by the state that its list gives it. */
const BEGINNINGS: Readonly<
  Record<
    ImportState,
    {
      readonly version: 'draft' | 'submitted' | 'accepted'
      readonly changes: readonly Pick<Change, 'action' | 'version'>[]
    }
  >
> = {
  draft: { version: 'draft', changes: [{ action: 'create' }] },
  submitted: { version: 'submitted', changes: [{ action: 'create' }, { action: 'submit' }] },
  published: {
    version: 'accepted',
    changes: [{ action: 'create' }, { action: 'publish', version: 1 }],
  },
  unpublished: {
    version: 'accepted',
    changes: [{ action: 'create' }, { action: 'publish', version: 1 }, { action: 'unpublish' }],
  },
}

/** Creates documents in the states that their list gives them; returns their ids by reference. */
async function createDocuments(
  tx: Tx,
  documents: readonly NewDocument[],
  actor: string,
): Promise<Map<string, number>> {
  if (documents.length === 0) return new Map()
  const fileIds = await writeFiles(
    tx,
    documents.map(({ document }) => document.pdf),
  )
  const rows = documents.map(({ document, columns }) => {
    const { reference, samplePages = null, state, pdf } = document
    const isForSale = BEGINNINGS[state].version === 'accepted'
    const firstPublishedAt = isForSale ? sql<Date>`now()` : null
    const fileId = takeOne(fileIds, pdf.sha256)
    return { ...columns, fileId, samplePages, reference, state, firstPublishedAt }
  })
  const made = await tx
    .insertInto('documents')
    .values(rows)
    .returning(['id', 'reference'])
    .execute()
  const ids = new Map(made.map(({ id, reference }) => [reference, id]))
  const begun = rows.map(({ fileId, reference, state }) => {
    const documentId = ids.get(reference)
    if (documentId === undefined) throw new Error(`${reference} was not written`)
    return { of: { documentId, actor }, fileId, ...BEGINNINGS[state] }
  })
  await insertVersion(
    tx,
    ...begun.map(({ of, fileId, version }) => ({ ...of, fileId, uploadId: null, state: version })),
  )
  await noteChange(
    tx,
    ...begun.flatMap(({ of, changes }) => changes.map((each) => ({ ...of, ...each }))),
  )
  return ids
}

function takeOne(fileIds: Map<string, number[]>, sha256: string): number {
  const id = fileIds.get(sha256)?.pop()
  if (id === undefined) throw new Error(`the file ${sha256} was not written`)
  return id
}

/**
 * States of a version that an import ends: by another file, or by putting its document up for sale.
 */
const OPEN: ReadonlySet<string> = new Set(['draft', 'submitted', 'returned'])

/** Changes the differing parts of a document; returns its id, or null if nothing differs. */
async function changeListed(
  tx: Tx,
  before: KnownDocument,
  document: StoredDocument,
  columns: Columns,
  actor: string,
): Promise<number | null> {
  const isText = isTextChanged(before, columns)
  const isFile = before.sha256 !== document.pdf.sha256
  // The state `draft` in a list leaves an unpublished draft in its present state, such as under
  // review.
  const isState = document.state !== 'draft' && before.state !== document.state
  // Written only if it differs: writing it makes the shop read the sample's pages again.
  const isSample = isSampleChanged(document, before)
  if (!isText && !isFile && !isState && !isSample) return null

  const { id } = before
  const isFirstSale = isState && before.firstPublishedAt === null
  const newest = await newestVersion(tx, id)
  const open = newest && OPEN.has(newest.state) ? newest : undefined
  if (open && (isFile || isFirstSale)) {
    const state = isFile ? 'replaced' : 'accepted'
    await decideVersion(tx, { documentId: id, ...open }, { actor, state })
  }
  let fileId: number | undefined
  if (isFile) {
    const isAccepted = document.state !== 'draft' || before.firstPublishedAt !== null
    fileId = await writeFile(tx, document.pdf)
    const version = { documentId: id, newest, actor, fileId, uploadId: null }
    // A version under review stays under review, with the new file.
    const waiting = open?.state === 'submitted' ? 'submitted' : 'draft'
    const state = isAccepted ? 'accepted' : waiting
    const number = await insertVersion(tx, { ...version, state })
    if (isAccepted) {
      await noteChange(tx, { documentId: id, actor, action: 'accept version', version: number })
    }
  }
  await tx
    .updateTable('documents')
    .set({
      ...columns,
      ...(isSample && { samplePages: document.samplePages }),
      ...(fileId !== undefined && { fileId }),
      ...(isState && { state: document.state, isTakenDown: false }),
      // A document counts as new from its first sale, not from its first draft.
      ...(isFirstSale && { firstPublishedAt: sql<Date>`now()`, uploadedAt: sql<Date>`now()` }),
      revision: sql<number>`revision + 1`,
      changedAt: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
  if (open && isFile) await dropFile(tx, id, open)
  if (isState) {
    if (document.state === 'published' || isFirstSale) {
      await noteChange(tx, { documentId: id, actor, action: 'publish' })
    }
    if (document.state === 'unpublished')
      await noteChange(tx, { documentId: id, actor, action: 'unpublish' })
  }
  return id
}

/**
 * Changes the differing parts of a teacher's document, and submits a draft if the list says so.
 * Returns its id, or null if nothing differs. `knownProblem` has already refused forbidden changes.
 */
async function changeOwn(
  tx: Tx,
  before: KnownDocument,
  document: StoredDocument,
  columns: Columns,
  actor: string,
): Promise<number | null> {
  const { id } = before
  const isFile = before.sha256 !== document.pdf.sha256
  // Written only if it differs: writing it makes the shop read the sample's pages again.
  const isSample = isSampleChanged(document, before)
  const isChanged = isTextChanged(before, columns) || isFile || isSample
  // A returned document is not submitted again unchanged.
  const mayWait = before.state === 'draft' || (before.state === 'returned' && isChanged)
  const isSubmitted = document.state === 'submitted' && mayWait
  if (!isChanged && !isSubmitted) return null

  let fileId: number | undefined
  if (isFile) {
    fileId = await writeFile(tx, document.pdf)
    const newest = await newestVersion(tx, id)
    const version = { fileId, uploadId: null, note: '' }
    await replaceDraftFile(tx, { documentId: id, newest, actor }, version)
  }
  await tx
    .updateTable('documents')
    .set({
      ...columns,
      ...(isSample && { samplePages: document.samplePages }),
      ...(fileId !== undefined && { fileId }),
      ...(isSubmitted && { state: 'submitted' }),
      revision: sql<number>`revision + 1`,
      changedAt: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
  if (isFile) await forgetFile(tx, before.fileId)
  if (isSubmitted) {
    await submitNewest(tx, id)
    await noteChange(tx, { documentId: id, actor, action: 'submit' })
  }
  return id
}

/** The teachers of a list by e-mail, after adding the unknown ones; `names` is for the search. */
async function writeTeachers(
  tx: Tx,
  documents: readonly ListedDocument[],
): Promise<Map<string, { id: number; names: string }>> {
  const teachers = new Map<string, { id: number; names: string }>()
  const listed = new Map(documents.map(({ teacher }) => [teacher.email, teacher]))
  const rows = await tx
    .selectFrom('teachers')
    .select(['id', 'firstName', 'lastName', 'latinName', 'email'])
    .where(sql<string>`lower(email)`, 'in', [...listed.keys()])
    .orderBy('id')
    .execute()
  const keep = ({ email, id, latinName, ...person }: (typeof rows)[number]) =>
    teachers.set(email.toLowerCase(), { id, names: `${fullName(person)} ${latinName}` })
  rows.forEach(keep)
  for (const teacher of listed.values()) {
    if (teachers.has(teacher.email)) continue
    const { id } = await tx
      .insertInto('teachers')
      .values({ ...teacher, userId: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    keep({ id, latinName: '', ...teacher })
  }
  return teachers
}
