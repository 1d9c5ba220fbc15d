import { type Kysely, type RawBuilder, sql } from 'kysely'
import { FEATURED_MAX } from '../../rules/catalogue-lists.ts'
import type { Schema } from '../database/schema.ts'
import type { DocumentRow } from './present.ts'

/** The most documents that one of the unpaged lists holds; `paginated` reaches the others. */
export const LIST_MAX = 100

/** The most documents on one shelf of the home page. */
const SHELF_MAX = 24

/** The most that one teacher puts on the shelf of featured authors. */
const SHELF_MAX_A_TEACHER = 4

type Db = Kysely<Schema>

/**
 * Reads the documents that `chosen` names. `chosen` is a query for `id` and `place`, the row's
 * number in the wanted order, so that only the few that are shown are joined with their names.
 */
export function namedDocuments(chosen: RawBuilder<unknown>): RawBuilder<DocumentRow> {
  return sql<DocumentRow>`
    SELECT chosen.place, d.id, d.title, d.description, d.price, d.price_discount,
      d.rating, d.rating_count, d.audience, d.uploaded_at, d.sales_count, d.level,
      d.cover_path, d.livre_path,
      d.teacher_id, t.first_name AS teacher_first_name, t.last_name AS teacher_last_name,
      t.latin_name AS teacher_latin_name,
      d.category_id, c.name AS category_name, c.code AS category_code, c.names AS category_names,
      d.matiere_id, m.name AS matiere_name, m.code AS matiere_code, m.names AS matiere_names,
      d.niveau_id, n.name AS niveau_name, n.code AS niveau_code, n.names AS niveau_names,
      d.cover_mapping_id, k.cover_path AS mapping_cover_path,
      k.livre_path AS mapping_livre_path, k.color AS mapping_color,
      f.file_type, f.page_count
    FROM (${chosen}) AS chosen
    JOIN documents d ON d.id = chosen.id
    JOIN teachers t ON t.id = d.teacher_id
    JOIN categories c ON c.id = d.category_id
    JOIN matieres m ON m.id = d.matiere_id
    JOIN niveaux n ON n.id = d.niveau_id
    JOIN files f ON f.id = d.file_id
    LEFT JOIN cover_mappings k ON k.id = d.cover_mapping_id
    ORDER BY chosen.place`
}

async function read(db: Db, chosen: RawBuilder<unknown>): Promise<DocumentRow[]> {
  return (await namedDocuments(chosen).execute(db)).rows
}

const NEWEST = sql`uploaded_at DESC, id DESC`

/** The first of the published documents that pass a condition, in an order. */
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

/** The documents that the shop puts forward, in its order. */
export const featuredDocuments = (db: Db) =>
  readFirst(db, FEATURED_MAX, sql`featured_place IS NOT NULL`, sql`featured_place, ${NEWEST}`)

/** The documents sold most often. */
export const topSellingDocuments = (db: Db) =>
  readFirst(db, SHELF_MAX, sql`true`, sql`sales_count DESC, id DESC`)

/** The newest documents of the featured teachers, each teacher's first before anybody's second. */
export function documentsByFeaturedAuthors(db: Db): Promise<DocumentRow[]> {
  return read(
    db,
    sql`SELECT own.id, row_number() OVER (ORDER BY own.turn, t.featured_place, t.id) AS place
      FROM teachers t
      CROSS JOIN LATERAL (
        SELECT id, row_number() OVER (ORDER BY ${NEWEST}) AS turn FROM documents
        WHERE teacher_id = t.id AND is_published ORDER BY ${NEWEST} LIMIT ${SHELF_MAX_A_TEACHER}
      ) AS own
      WHERE t.featured_place IS NOT NULL
      ORDER BY own.turn, t.featured_place, t.id LIMIT ${SHELF_MAX}`,
  )
}

/** A teacher's newest documents, at most `LIST_MAX`; null when there is no such teacher. */
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

/** One published document; undefined when there is none. */
export async function findDocument(db: Db, id: number): Promise<DocumentRow | undefined> {
  const [row] = await readFirst(db, 1, sql`id = ${id}`)
  return row
}
