import { type Kysely, type RawBuilder, sql } from 'kysely'
import { FEATURED_MAX } from '../../rules/catalogue-lists.ts'
import { gathered } from '../concurrency/gathered.ts'
import type { Schema } from '../database/schema.ts'
import { NAMES_REVISION, namesAt } from './names.ts'
import type { DocumentRow, ReadDocument } from './present.ts'

/** The most documents that one of the unpaged lists holds; `paginated` reaches the others. */
const LIST_MAX = 100

/** The most documents on one shelf of the home page. */
export const SHELF_MAX = 24

/** The most documents of one teacher on the shelf of featured authors. */
const SHELF_MAX_A_TEACHER = 4

type Db = Kysely<Schema>

const COLUMNS = sql`d.id, d.title, d.description, d.price, d.price_discount AS "priceDiscount",
  d.rating, d.rating_count AS "ratingCount", d.audience, d.uploaded_at AS "uploadedAt",
  d.sales_count AS "salesCount", d.cover_path AS "coverPath", d.livre_path AS "livrePath",
  d.category_id AS "categoryId", d.matiere_id AS "matiereId", d.niveau_id AS "niveauId",
  d.cover_mapping_id AS "coverMappingId", d.teacher_id AS "teacherId",
  t.first_name AS "teacherFirstName", t.last_name AS "teacherLastName",
  t.latin_name AS "teacherLatinName", f.file_type AS "fileType", f.page_count AS "pageCount"`

const TABLES = sql`documents d
  JOIN teachers t ON t.id = d.teacher_id
  JOIN files f ON f.id = d.file_id`

type ReadRow = Omit<ReadDocument, 'uploadedAt'> & { uploadedAt: string }

/**
 * Reads the documents that `chosen` finds, in the order of `place`, with the names of what they
 * refer to. The rows are returned as one JSON value: read column by column, a list takes three
 * times as long.
 */
async function readDocuments(
  db: Db,
  chosen: RawBuilder<unknown>,
  place = sql``,
): Promise<DocumentRow[]> {
  const { rows } = await sql<{ found: ReadRow[] | null; namesRevision: number }>`
    SELECT json_agg(found ${place}) AS found, ${NAMES_REVISION} FROM (${chosen}) AS found`.execute(
    db,
  )
  const [{ found, namesRevision } = { found: null, namesRevision: 0 }] = rows
  if (!found) return []
  const names = await namesAt(db, namesRevision)
  return found.map((row) =>
    Object.assign(row, {
      uploadedAt: new Date(row.uploadedAt),
      category: named(names.categories, row.categoryId),
      matiere: named(names.matieres, row.matiereId),
      schoolClass: named(names.classes, row.niveauId),
      coverMapping: row.coverMappingId === null ? null : named(names.covers, row.coverMappingId),
    }),
  )
}

function named<T>(names: ReadonlyMap<number, T>, id: number): T {
  const name = names.get(id)
  if (!name) throw new Error(`nothing has the id ${id}`)
  return name
}

/**
 * Reads the documents that `chosen` names: a query for `id` and `place`, the row's number in the
 * wanted order, so that only the few documents that are shown are read whole.
 */
function read(db: Db, chosen: RawBuilder<unknown>): Promise<DocumentRow[]> {
  return readDocuments(
    db,
    sql`SELECT chosen.place, ${COLUMNS} FROM (${chosen}) AS chosen JOIN ${TABLES} ON d.id = chosen.id`,
    sql`ORDER BY found.place`,
  )
}

const NEWEST = sql`uploaded_at DESC, id DESC`

/** The first published documents that pass a condition, in a given order. */
function readFirst(
  db: Db,
  most: number,
  where: RawBuilder<unknown> = sql`true`,
  order = NEWEST,
): Promise<DocumentRow[]> {
  return read(
    db,
    sql`SELECT id, row_number() OVER (ORDER BY ${order}) AS place FROM documents
      WHERE is_published AND ${where} ORDER BY ${order} LIMIT ${most}`,
  )
}

/** The newest documents, at most `LIST_MAX`. */
export const newestDocuments = (db: Db) => readFirst(db, LIST_MAX)

/** The documents that the shop features, in its order. */
export const featuredDocuments = (db: Db) =>
  readFirst(db, FEATURED_MAX, sql`featured_place IS NOT NULL`, sql`featured_place, ${NEWEST}`)

/**
 * The newest documents of the featured teachers: the first of each teacher before the second of
 * any.
 */
export function documentsByFeaturedAuthors(db: Db): Promise<DocumentRow[]> {
  return read(
    db,
    sql`SELECT own.id, row_number() OVER (ORDER BY own.turn, t.featured_place, t.id) AS place
      FROM teachers t
      CROSS JOIN LATERAL (
        SELECT id, row_number() OVER (ORDER BY ${NEWEST}) AS turn FROM documents
        WHERE teacher_id = t.id AND is_published ORDER BY ${NEWEST} LIMIT ${sql.lit(SHELF_MAX_A_TEACHER)}
      ) AS own
      WHERE t.featured_place IS NOT NULL
      ORDER BY own.turn, t.featured_place, t.id LIMIT ${sql.lit(SHELF_MAX)}`,
  )
}

/** A teacher's newest documents, at most `LIST_MAX`; null if the teacher does not exist. */
export async function documentsOfTeacher(db: Db, teacherId: number): Promise<DocumentRow[] | null> {
  const rows = await readFirst(db, LIST_MAX, sql`teacher_id = ${teacherId}`)
  if (rows.length > 0) return rows
  const teacher = await db
    .selectFrom('teachers')
    .select('id')
    .where('id', '=', teacherId)
    .executeTakeFirst()
  return teacher ? rows : null
}

const readers = new WeakMap<Db, ReturnType<typeof gathered<number, DocumentRow>>>()

function readerOf(db: Db) {
  const known = readers.get(db)
  if (known) return known
  const reader = gathered<number, DocumentRow>(async (ids) => {
    const found = await readDocuments(
      db,
      sql`SELECT ${COLUMNS} FROM ${TABLES} WHERE d.id = ANY(${ids}::integer[]) AND d.is_published`,
    )
    return new Map(found.map((row) => [row.id, row]))
  })
  readers.set(db, reader)
  return reader
}

/** A published document; undefined if there is none with this id. */
export async function findDocument(db: Db, id: number): Promise<DocumentRow | undefined> {
  return (await readerOf(db)([id])).get(id)
}

/** The published documents among these ids, in the given order. */
export async function documentsById(db: Db, ids: readonly number[]): Promise<DocumentRow[]> {
  if (ids.length === 0) return []
  const found = await readerOf(db)(ids)
  return ids.flatMap((id) => found.get(id) ?? [])
}
