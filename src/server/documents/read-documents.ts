import { type Kysely, type RawBuilder, sql } from 'kysely'
import { DETAILS } from '../../rules/document-fields.ts'
import type { DocumentAction } from '../../rules/document-life.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn } from '../database/sql-parts.ts'
import type { Deps } from '../deps.ts'

/** The actions that return a document or a version, and those that answer a return. */
const RETURNS_AND_ANSWERS = [
  'submit',
  'return',
  'submit version',
  'return version',
  'withdraw version',
  'accept version',
  'publish',
] as const satisfies DocumentAction[]

/** A document in any state, with the names of what it refers to. */
export type DocumentRow = Awaited<ReturnType<typeof readDocuments>>[number]

/** Documents with the names of what they refer to; `where` uses `d` for the table of documents. */
export function readDocuments(
  db: Kysely<Schema>,
  where: RawBuilder<unknown>,
  { order = sql`d.id`, limit = null as number | null, offset = 0 } = {},
) {
  return (
    db
      .selectFrom('documents as d')
      .innerJoin('teachers as t', 't.id', 'd.teacherId')
      .leftJoin('categories as c', 'c.id', 'd.categoryId')
      .leftJoin('matieres as m', 'm.id', 'd.matiereId')
      .leftJoin('niveaux as n', 'n.id', 'd.niveauId')
      .leftJoin('files as f', 'f.id', 'd.fileId')
      .leftJoin('coverMappings as k', 'k.id', 'd.coverMappingId')
      .leftJoinLateral(
        (query) =>
          query
            .selectFrom('documentEvents')
            .select(['action', 'reason', 'field', 'madeAt'])
            .whereRef('documentId', '=', 'd.id')
            .where('action', 'in', RETURNS_AND_ANSWERS)
            .orderBy('id', 'desc')
            .limit(1)
            .as('last'),
        (join) => join.onTrue(),
      )
      .select([
        'd.id',
        'd.state',
        'd.revision',
        'd.isTakenDown',
        'd.title',
        'd.description',
        'd.price',
        'd.priceDiscount',
        'd.audience',
        ...DETAILS.map((name) => `d.${name}` as const),
        'd.level',
        'd.categoryId',
        'c.name as categoryName',
        'c.code as categoryCode',
        'c.names as categoryNames',
        'd.matiereId',
        'm.name as matiereName',
        'm.code as matiereCode',
        'm.names as matiereNames',
        'd.niveauId',
        'n.name as niveauName',
        'n.code as niveauCode',
        'n.names as niveauNames',
        'd.teacherId',
        sql<string>`${fullNameIn('t')}`.as('teacherName'),
        // null if the teacher has no account.
        't.userId as teacherUserId',
        'd.coverPath',
        'd.livrePath',
        'd.coverMappingId',
        'k.coverPath as mappingCoverPath',
        'k.livrePath as mappingLivrePath',
        'k.color as mappingColor',
        'd.fileId',
        'd.samplePages',
        'f.fileType',
        'f.pageCount',
        'd.rating',
        'd.ratingCount',
        'd.salesCount',
        'd.createdAt',
        'd.changedAt',
        'd.firstPublishedAt',
        'last.action as lastAction',
        'last.reason as lastReason',
        'last.field as lastField',
        'last.madeAt as lastAt',
      ])
      .select((query) =>
        query
          .selectFrom('documentVersions')
          .select('number')
          .whereRef('documentId', '=', 'd.id')
          .where('state', '=', 'submitted')
          .as('waitingVersion'),
      )
      .where(sql<boolean>`${where}`)
      .orderBy(order)
      // null: all of them.
      .limit(limit)
      .offset(offset)
      .execute()
  )
}

/** One document; undefined if there is none. */
export async function findDocument(
  db: Kysely<Schema>,
  id: number,
): Promise<DocumentRow | undefined> {
  return (await readDocuments(db, sql`d.id = ${id}`))[0]
}

/** Looks for the files of sold documents, of at most `most` chosen by chance. */
export async function lookForSoldFiles(
  { database, files }: Pick<Deps, 'database' | 'files'>,
  most: number,
): Promise<{ looked: number; missing: number[] }> {
  const sold = await database.kysely
    .selectFrom('documents')
    .innerJoin('files', 'files.id', 'documents.fileId')
    .select(['documents.id', 'files.storageKey', 'files.size'])
    .where('documents.salesCount', '>', 0)
    .orderBy(sql`random()`)
    .limit(most)
    .execute()
  const missing: number[] = []
  for (const { id, storageKey, size } of sold) {
    if ((await files.sizeOf(storageKey)) !== size) missing.push(id)
  }
  return { looked: sold.length, missing }
}
