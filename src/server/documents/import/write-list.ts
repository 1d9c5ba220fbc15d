import { sql } from 'kysely'
import { CATALOGUE_TAG, documentTag, TEACHERS_TAG, teacherTag } from '../../../rules/page-tags.ts'
import { searchText } from '../../catalogue/catalogue.ts'
import type { Tx } from '../../database/transaction.ts'
import { noteChanges } from '../../publishing/publishing.ts'
import { noteChange } from '../history.ts'
import { decideVersion, dropFile, insertVersion, newestVersion, writeFile } from '../versions.ts'
import type { ListedDocument } from './check-rows.ts'
import { stateProblem } from './known-problems.ts'
import { type KnownDocument, readKnown } from './known-shop.ts'
import { ImportRefused } from './problems.ts'
import type { StoredDocument } from './store-files.ts'
import { writeTeachers } from './write-teachers.ts'

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
        teacher: teacher.names,
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
  const version = { documentId: id, newest: undefined, actor, fileId, uploadId: null }
  await insertVersion(tx, { ...version, state: isDraft ? 'draft' : 'accepted' })
  await noteChange(tx, { documentId: id, actor, action: 'create' })
  if (!isDraft) await noteChange(tx, { documentId: id, actor, action: 'publish', version: 1 })
  if (document.state === 'unpublished')
    await noteChange(tx, { documentId: id, actor, action: 'unpublish' })
  return id
}

/** States of a version that an import ends: by another file, or by putting its document up for sale. */
const OPEN: ReadonlySet<string> = new Set(['draft', 'submitted', 'returned'])

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
    // What waits for review goes on waiting, with the new file.
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
      ...(fileId !== undefined && { fileId }),
      ...(isState && { state: document.state, isTakenDown: false }),
      // It is new in the shop when it is first for sale, not when it was begun.
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
