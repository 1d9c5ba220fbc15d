import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { OWN_DOCUMENT_SORTS, OwnDocumentFilters } from '../../contract/office-documents.ts'
import type { ChapterNames } from '../../rules/chapters.ts'
import { DETAILS } from '../../rules/document-fields.ts'
import {
  DOCUMENT_STATES,
  type DocumentAction,
  type DocumentState,
} from '../../rules/document-life.ts'
import { conditionsOf } from '../catalogue/catalogue.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn, inOrder } from '../database/sql-parts.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'

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

/** A chapter of a document. */
type OwnChapter = Pick<ChapterNames, 'ar' | 'fr'> & { readonly id: number }

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
        // In the order in which the database keeps them.
        sql<OwnChapter[]>`(
          SELECT coalesce(json_agg(json_build_object('id', id, 'ar', name_ar, 'fr', name_fr)
            ORDER BY position, id), '[]')
          FROM chapters WHERE id = ANY (d.chapter_ids))`.as('chapters'),
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
      .select((query) => [
        query
          .selectFrom('documentVersions')
          .select('number')
          .whereRef('documentId', '=', 'd.id')
          .where('state', '=', 'submitted')
          .as('waitingVersion'),
        query
          .exists(
            query
              .selectFrom('reportCases')
              .whereRef('documentId', '=', 'd.id')
              .where('closedAt', 'is', null),
          )
          .$castTo<boolean>()
          .as('isReported'),
      ])
      .where(sql<boolean>`${where}`)
      .orderBy(order)
      // null: all of them.
      .limit(limit)
      .offset(offset)
      .execute()
  )
}

export async function findDocument(
  db: Kysely<Schema>,
  id: number,
): Promise<DocumentRow | undefined> {
  return (await readDocuments(db, sql`d.id = ${id}`))[0]
}

/** A teacher's own document; throws `document_not_found`, also for another teacher's. */
export async function ownDocument(
  { database }: Pick<Deps, 'database'>,
  id: number,
  teacherId: number,
): Promise<DocumentRow> {
  const row = await findDocument(database.kysely, id)
  if (row?.teacherId !== teacherId) throw fault('document_not_found')
  return row
}

/** Looks for the files of sold documents, of at most `most` chosen by chance. */
export async function lookForSoldFiles(
  db: Kysely<Schema>,
  files: Deps['files'],
  most: number,
): Promise<{ looked: number; missing: number[] }> {
  const sold = await db
    .selectFrom('documents')
    .innerJoin('files', 'files.id', 'documents.fileId')
    .select(['documents.id', 'files.storageKey', 'files.size'])
    .where('documents.salesCount', '>', 0)
    .orderBy(sql`random()`)
    .limit(most)
    .execute()
  const sizes = await Promise.all(sold.map(({ storageKey }) => files.sizeOf(storageKey)))
  const missing = sold.filter(({ size }, at) => sizes[at] !== size).map(({ id }) => id)
  return { looked: sold.length, missing }
}

/** How many rows a page of the table shows. */
const PAGE_SIZE = 20

const COLUMNS = {
  changed: sql`d.changed_at`,
  title: inOrder(sql`d.title`),
  price: sql`d.final_price`,
  sales: sql`d.sales_count`,
  rating: sql`d.rating`,
} as const

function orderOf(sort: (typeof OWN_DOCUMENT_SORTS)[number]): RawBuilder<unknown> {
  const isDescending = sort.startsWith('-')
  const column = COLUMNS[sort.replace('-', '') as keyof typeof COLUMNS]
  return isDescending
    ? sql`${column} DESC NULLS LAST, d.id DESC`
    : sql`${column} ASC NULLS FIRST, d.id`
}

export async function listDocuments(
  { database: { kysely } }: Deps,
  teacherId: number | null,
  filters: OwnDocumentFilters,
): Promise<{
  rows: DocumentRow[]
  total: number
  number: number
  size: number
  states: Record<DocumentState, number>
}> {
  const { page = 0, size = PAGE_SIZE, sort = '-changed', q = '', state } = filters
  const whose = teacherId === null ? sql`true` : sql`d.teacher_id = ${teacherId}`
  const where = sql.join(
    [whose, ...(state ? [sql`d.state = ${state}`] : []), ...(await conditionsOf(kysely, q))],
    sql` AND `,
  )
  const rows = await readDocuments(kysely, where, {
    order: orderOf(sort),
    limit: size,
    offset: page * size,
  })
  const { rows: counts } = await sql<{ state: DocumentState; all: number; found: number }>`
    SELECT d.state, count(*) AS all, count(*) FILTER (WHERE ${where}) AS found
    FROM documents d WHERE ${whose} GROUP BY d.state`.execute(kysely)
  const inState = (wanted: DocumentState) => counts.find((each) => each.state === wanted)?.all ?? 0
  return {
    rows,
    total: counts.reduce((sum, { found }) => sum + found, 0),
    number: page,
    size,
    states: Object.fromEntries(DOCUMENT_STATES.map((each) => [each, inState(each)])) as Record<
      DocumentState,
      number
    >,
  }
}
