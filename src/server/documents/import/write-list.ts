import { sql } from 'kysely'
import type { DocumentAction } from '../../../rules/document-life.ts'
import { CATALOGUE_TAG, documentTag, TEACHERS_TAG, teacherTag } from '../../../rules/page-tags.ts'
import { logStaff } from '../../accounts/accounts.ts'
import { searchText } from '../../catalogue/catalogue.ts'
import type { Tx } from '../../database/transaction.ts'
import type { StoredFile } from '../../files/files.ts'
import { noteChanges } from '../../publishing/publishing.ts'
import type { ListedDocument } from './check-rows.ts'
import { stateProblem } from './known-problems.ts'
import { type KnownDocument, readKnown } from './known-shop.ts'
import { ImportRefused } from './problems.ts'

/** A document of a list with its files, which are stored. */
export interface StoredDocument extends ListedDocument {
  readonly pdf: StoredFile & { readonly pages: number }
  /** Of the picture, as `coverPath` of a document; null: the drawn cover. */
  readonly coverPath: string | null
}

export interface Imported {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  /** Of the pages that show what has changed. */
  readonly tags: readonly string[]
}

/** What an import locks while it writes; any number that nothing else of ours locks. */
export const IMPORTING = 7_201_958

/** Writes all documents of a list, or none: new ones, and what differs of those that are there. */
export async function writeList(
  tx: Tx,
  documents: readonly StoredDocument[],
  actor: string,
): Promise<Imported> {
  // Two imports at once: the second one finds what the first has made.
  await sql`SELECT pg_advisory_xact_lock(${IMPORTING})`.execute(tx)
  const known = await readKnown(
    tx,
    documents.map(({ reference }) => reference),
  )
  const problems = documents.flatMap((each) => stateProblem(each, known.get(each.reference)) ?? [])
  if (problems.length > 0) throw new ImportRefused(problems)

  const teachers = await writeTeachers(tx, documents)
  const subjects = new Map(
    (await tx.selectFrom('matieres').select(['id', 'name']).execute()).map((row) => [
      row.id,
      row.name,
    ]),
  )
  const counts = { created: 0, changed: 0, unchanged: 0 }
  const tags = new Set<string>()
  for (const document of documents) {
    const teacher = teachers.get(document.teacher.email)
    if (!teacher) throw new Error(`${document.teacher.email} is no teacher`)
    const columns = {
      teacherId: teacher.id,
      title: document.title,
      description: document.description,
      price: document.price,
      priceDiscount: document.priceDiscount,
      categoryId: document.categoryId,
      matiereId: document.matiereId,
      niveauId: document.niveauId,
      level: document.level,
      audience: document.audience,
      coverPath: document.coverPath,
      searchText: searchText({
        title: document.title,
        subject: subjects.get(document.matiereId) ?? '',
        teacher: teacher.name,
      }),
    }
    const before = known.get(document.reference)
    const id = before
      ? await change(tx, before, document, columns, actor)
      : await create(tx, document, columns, actor)
    counts[before ? (id === null ? 'unchanged' : 'changed') : 'created'] += 1
    if (id === null) continue
    for (const tag of [documentTag(id), teacherTag(teacher.id)]) tags.add(tag)
  }
  if (tags.size > 0) {
    tags.add(CATALOGUE_TAG).add(TEACHERS_TAG)
    await noteChanges(tx, [...tags])
    const subject = `${counts.created} new documents, ${counts.changed} changed`
    await logStaff(tx, { actor, action: 'import documents', subject })
  }
  return { ...counts, tags: [...tags] }
}

type Columns = Pick<
  KnownDocument,
  'title' | 'description' | 'coverPath' | 'teacherId' | 'priceDiscount'
> & {
  readonly price: number
  readonly categoryId: number
  readonly matiereId: number
  readonly niveauId: number
  readonly level: ListedDocument['level']
  readonly audience: ListedDocument['audience']
  readonly searchText: string
}

async function create(
  tx: Tx,
  document: StoredDocument,
  columns: Columns,
  actor: string,
): Promise<number> {
  const isDraft = document.state === 'draft'
  const fileId = await writeFile(tx, document.pdf)
  const { id } = await tx
    .insertInto('documents')
    .values({
      ...columns,
      livrePath: null,
      coverMappingId: null,
      fileId,
      reference: document.reference,
      state: document.state,
      firstPublishedAt: isDraft ? null : sql<Date>`now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await writeVersion(tx, { id, number: 1, fileId, isAccepted: !isDraft, actor })
  await note(tx, id, actor, 'create')
  if (!isDraft) await note(tx, id, actor, 'publish', 1)
  if (document.state === 'unpublished') await note(tx, id, actor, 'unpublish')
  return id
}

/** The document's id, or null where nothing differs. */
async function change(
  tx: Tx,
  before: KnownDocument,
  document: StoredDocument,
  columns: Columns,
  actor: string,
): Promise<number | null> {
  const { searchText: _, level: __, ...compared } = columns
  const isText = (Object.keys(compared) as (keyof typeof compared)[]).some(
    (name) => before[name] !== compared[name],
  )
  const isFile = before.sha256 !== document.pdf.sha256
  // Whatever a draft waits for goes on; only what the list asks for beyond it is a change.
  const isState = document.state !== 'draft' && before.state !== document.state
  if (!isText && !isFile && !isState) return null

  const { id } = before
  const isForSale = document.state !== 'draft'
  let fileId: number | undefined
  if (isFile) fileId = await writeFile(tx, document.pdf)
  const { number } = await tx
    .selectFrom('documentVersions')
    .select(({ fn }) => fn.coalesce(fn.max('number'), sql<number>`0`).as('number'))
    .where('documentId', '=', id)
    .executeTakeFirstOrThrow()
  const isAccepted = isForSale || before.firstPublishedAt !== null
  if (isFile || (isState && before.firstPublishedAt === null)) {
    await closeOpenVersion(tx, id, actor, isFile ? 'replaced' : 'accepted')
  }
  if (fileId !== undefined) {
    await writeVersion(tx, { id, number: number + 1, fileId, isAccepted, actor })
    if (isAccepted) await note(tx, id, actor, 'accept version', number + 1)
  }
  await tx
    .updateTable('documents')
    .set({
      ...columns,
      ...(fileId !== undefined && { fileId }),
      ...(isState && { state: document.state, isTakenDown: false }),
      ...(isState && before.firstPublishedAt === null && { firstPublishedAt: sql<Date>`now()` }),
      revision: sql<number>`revision + 1`,
      changedAt: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
  if (isState) {
    if (document.state === 'published' || before.firstPublishedAt === null) {
      await note(tx, id, actor, 'publish')
    }
    if (document.state === 'unpublished') await note(tx, id, actor, 'unpublish')
  }
  return id
}

async function writeFile(tx: Tx, pdf: StoredDocument['pdf']): Promise<number> {
  const { id } = await tx
    .insertInto('files')
    .values({
      storageKey: pdf.key,
      mediaType: 'application/pdf',
      fileType: 'pdf',
      size: pdf.size,
      sha256: pdf.sha256,
      pageCount: pdf.pages,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function writeVersion(
  tx: Tx,
  version: { id: number; number: number; fileId: number; isAccepted: boolean; actor: string },
): Promise<void> {
  await tx
    .insertInto('documentVersions')
    .values({
      documentId: version.id,
      number: version.number,
      fileId: version.fileId,
      uploadId: null,
      state: version.isAccepted ? 'accepted' : 'draft',
      createdBy: version.actor,
      decidedAt: version.isAccepted ? sql<Date>`now()` : null,
      decidedBy: version.isAccepted ? version.actor : null,
      reason: null,
    })
    .execute()
}

/** Ends the version that waited, if any: for another file, or because its document is for sale now. */
async function closeOpenVersion(
  tx: Tx,
  documentId: number,
  actor: string,
  state: 'replaced' | 'accepted',
): Promise<void> {
  await tx
    .updateTable('documentVersions')
    .set({ state, decidedAt: sql<Date>`now()`, decidedBy: actor })
    .where('documentId', '=', documentId)
    .where('state', 'in', ['draft', 'submitted', 'returned'])
    .execute()
}

async function note(
  tx: Tx,
  documentId: number,
  actor: string,
  action: DocumentAction,
  version: number | null = null,
): Promise<void> {
  await tx
    .insertInto('documentEvents')
    .values({ documentId, actor, action, version, reason: null, field: null })
    .execute()
}

/** The teachers of a list by e-mail, those whom the shop did not know included. */
async function writeTeachers(
  tx: Tx,
  documents: readonly StoredDocument[],
): Promise<Map<string, { id: number; name: string }>> {
  const teachers = new Map<string, { id: number; name: string }>()
  const listed = new Map(documents.map(({ teacher }) => [teacher.email, teacher]))
  const rows = await tx
    .selectFrom('teachers')
    .select(['id', 'firstName', 'lastName', 'email'])
    .where(sql<string>`lower(email)`, 'in', [...listed.keys()])
    .orderBy('id')
    .execute()
  const keep = ({ email, ...row }: (typeof rows)[number]) =>
    teachers.set(email.toLowerCase(), { id: row.id, name: `${row.firstName} ${row.lastName}` })
  rows.forEach(keep)
  for (const teacher of listed.values()) {
    if (teachers.has(teacher.email)) continue
    const { id } = await tx
      .insertInto('teachers')
      .values({ ...teacher, userId: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    keep({ id, ...teacher })
  }
  return teachers
}
