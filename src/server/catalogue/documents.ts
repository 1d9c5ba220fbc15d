import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Document } from '../../contract/catalogue.ts'
import { FEATURED_MAX } from '../../rules/catalogue-lists.ts'
import { DETAILS } from '../../rules/document-fields.ts'
import { SECOND_MS } from '../../rules/durations.ts'
import { coalesce } from '../concurrency/coalesce.ts'
import { gathered } from '../concurrency/gathered.ts'
import type { Schema } from '../database/schema.ts'
import type { Catalogue } from '../deps.ts'
import { inTime } from '../workers/workers.ts'
import { keepNames, NAMES_REVISION } from './names.ts'
import { type CatalogueRow, presentDocument, presentTeacher, type ReadDocument } from './present.ts'
import { keepFiled } from './search/filed.ts'
import { followIndex } from './search/follow.ts'
import { createSearch } from './search/search.ts'
import { IS_PUBLIC_TEACHER, listedTeachers } from './teachers.ts'

/** The most documents that one of the unpaged lists holds; `paginated` reaches the others. */
const LIST_MAX = 100

const SHELF_MAX = 24

/** The most documents of one teacher on the shelf of featured authors. */
const SHELF_MAX_A_TEACHER = 4

const COLUMNS = sql`d.id, d.title, d.description, d.price, d.price_discount AS "priceDiscount",
  d.rating, d.rating_count AS "ratingCount", d.audience, d.uploaded_at AS "uploadedAt",
  d.sales_count AS "salesCount", d.cover_path AS "coverPath", d.livre_path AS "livrePath",
  d.category_id AS "categoryId", d.matiere_id AS "matiereId", d.niveau_id AS "niveauId",
  d.cover_mapping_id AS "coverMappingId", d.chapter_ids AS "chapterIds", d.teacher_id AS "teacherId",
  t.first_name AS "teacherFirstName", t.last_name AS "teacherLastName",
  d.has_correction AS "hasCorrection",
  t.latin_name AS "teacherLatinName", f.file_type AS "fileType", f.page_count AS "pageCount"
  ${sql.join(
    DETAILS.map((name) => sql`, d.${sql.ref(name)} AS ${sql.raw(`"${name}"`)}`),
    sql``,
  )}`

const TABLES = sql`documents d
  JOIN teachers t ON t.id = d.teacher_id
  JOIN files f ON f.id = d.file_id`

type DocumentJson = Omit<ReadDocument, 'uploadedAt'> & { uploadedAt: string }

function named<T>(names: ReadonlyMap<number, T>, id: number): T {
  const name = names.get(id)
  if (!name) throw new Error(`nothing has the id ${id}`)
  return name
}

const NEWEST = sql`uploaded_at DESC, id DESC`

/**
 * The newest documents of the featured teachers: the first of each teacher before the second of
 * any.
 */
const BY_FEATURED_AUTHORS = sql`
  SELECT own.id, row_number() OVER (ORDER BY own.turn, t.featured_place, t.id) AS place
  FROM teachers t
  CROSS JOIN LATERAL (
    SELECT id, row_number() OVER (ORDER BY ${NEWEST}) AS turn FROM documents
    WHERE teacher_id = t.id AND is_published ORDER BY ${NEWEST} LIMIT ${sql.lit(SHELF_MAX_A_TEACHER)}
  ) AS own
  WHERE t.featured_place IS NOT NULL
  ORDER BY own.turn, t.featured_place, t.id LIMIT ${sql.lit(SHELF_MAX)}`

/**
 * How long a search waits for the index that a new process reads: some seconds for 100 000
 * documents, most of a minute for a million. The caller gets 503, and pages say so.
 */
const FIRST_READ_WAIT_MS = 5 * SECOND_MS

export function openCatalogue(
  db: Kysely<Schema>,
  firstReadWaitMs: number = FIRST_READ_WAIT_MS,
): Catalogue {
  const namesAt = keepNames(db)
  const index = followIndex(db, namesAt)
  const filed = keepFiled()
  const currentIndex = () => {
    const current = index.current()
    return index.state().readAt === null ? inTime(current, firstReadWaitMs) : current
  }

  /**
   * Reads the documents that `chosen` finds, in the order of `place`, with the names of what they
   * refer to. The rows are returned as one JSON value: read column by column, a list takes three
   * times as long.
   */
  async function readDocuments(
    chosen: RawBuilder<unknown>,
    place = sql``,
  ): Promise<CatalogueRow[]> {
    const { rows } = await sql<{ found: DocumentJson[] | null; namesRevision: number }>`
      SELECT json_agg(found ${place}) AS found, ${NAMES_REVISION}
      FROM (${chosen}) AS found`.execute(db)
    const [{ found, namesRevision } = { found: null, namesRevision: 0 }] = rows
    if (!found) return []
    const names = await namesAt(namesRevision)
    return found.map((row) =>
      Object.assign(row, {
        uploadedAt: new Date(row.uploadedAt),
        category: named(names.categories, row.categoryId),
        matiere: named(names.matieres, row.matiereId),
        schoolClass: named(names.classes, row.niveauId),
        coverMapping: row.coverMappingId === null ? null : named(names.covers, row.coverMappingId),
        chapters: row.chapterIds.map((id) => named(names.chapters, id)),
        kindNames: names.kinds.get(row.paperKind ?? '')?.names,
      }),
    )
  }

  /**
   * Reads the documents that `chosen` names: a query for `id` and `place`, the row's number in the
   * wanted order, so that only the few documents that are shown are read whole.
   */
  async function read(chosen: RawBuilder<unknown>): Promise<Document[]> {
    const rows = await readDocuments(
      sql`SELECT chosen.place, ${COLUMNS} FROM (${chosen}) AS chosen JOIN ${TABLES} ON d.id = chosen.id`,
      sql`ORDER BY found.place`,
    )
    return rows.map(presentDocument)
  }

  /** The first published documents that pass a condition, in a given order. */
  function readFirst(
    most: number,
    where: RawBuilder<unknown> = sql`true`,
    order = NEWEST,
  ): Promise<Document[]> {
    return read(
      sql`SELECT id, row_number() OVER (ORDER BY ${order}) AS place FROM documents
        WHERE is_published AND ${where} ORDER BY ${order} LIMIT ${most}`,
    )
  }

  const readById = gathered<number, CatalogueRow>(async (ids) => {
    const found = await readDocuments(
      sql`SELECT ${COLUMNS} FROM ${TABLES} WHERE d.id = ANY(${ids}::integer[]) AND d.is_published`,
    )
    return new Map(found.map((row) => [row.id, row]))
  })

  const search = createSearch(db, currentIndex, async (ids) => {
    if (ids.length === 0) return []
    const found = await readById(ids)
    return ids.flatMap((id) => found.get(id) ?? [])
  })

  return {
    search,
    topSelling: async () => (await search({ sort: 'sales', size: SHELF_MAX })).content,
    newest: () => readFirst(LIST_MAX),
    featured: () =>
      readFirst(FEATURED_MAX, sql`featured_place IS NOT NULL`, sql`featured_place, ${NEWEST}`),
    byFeaturedAuthors: () => read(BY_FEATURED_AUTHORS),
    // It sums up every document: 0.1 s with 100 000 of them.
    teachers: coalesce(async () => (await listedTeachers(db)).map(presentTeacher)),
    async ofTeacher(teacherId) {
      const documents = await readFirst(LIST_MAX, sql`teacher_id = ${teacherId}`)
      if (documents.length > 0) return documents
      const teacher = await db
        .selectFrom('teachers')
        .select('id')
        .where('id', '=', teacherId)
        .where(IS_PUBLIC_TEACHER)
        .executeTakeFirst()
      return teacher ? documents : null
    },
    async find(id) {
      const row = (await readById([id])).get(id)
      return row && presentDocument(row)
    },
    schoolWords: async () => (await currentIndex()).schoolWords(),
    filed: async () => filed(await currentIndex()),
    async prepareSearch() {
      await index.current()
    },
    searchIndex: index.state,
  }
}
