import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DocumentAction, DocumentField, DocumentState } from '../../rules/document-life.ts'
import type { InEachLanguage } from '../../rules/languages.ts'
import type { Millimes } from '../../rules/money.ts'
import type { Audience, Level } from '../../rules/price-bands.ts'
import type { Schema } from '../database/schema.ts'
import type { Deps } from '../deps.ts'

/** A document in any state, with the names of what it refers to. */
export interface DocumentRow {
  id: number
  state: DocumentState
  revision: number
  isTakenDown: boolean
  title: string
  description: string
  price: Millimes | null
  priceDiscount: Millimes | null
  audience: Audience | null
  categoryId: number | null
  categoryName: string
  categoryCode: string | null
  categoryNames: InEachLanguage | null
  matiereId: number | null
  matiereName: string
  matiereCode: string | null
  matiereNames: InEachLanguage | null
  niveauId: number | null
  niveauName: string
  niveauCode: string | null
  niveauNames: InEachLanguage | null
  level: Level | null
  teacherId: number
  teacherName: string
  /** The teacher's account; null if the teacher has none. */
  teacherUserId: number | null
  coverPath: string | null
  livrePath: string | null
  coverMappingId: number | null
  mappingCoverPath: string | null
  mappingLivrePath: string | null
  mappingColor: string | null
  fileId: number | null
  fileType: string | null
  pageCount: number | null
  /** The pages of the public sample; null for the first pages. */
  samplePages: number[] | null
  rating: number | string
  ratingCount: number
  salesCount: number
  createdAt: Date
  changedAt: Date
  firstPublishedAt: Date | null
  waitingVersion: number | null
  lastAction: DocumentAction | null
  lastReason: string | null
  lastField: DocumentField | null
  lastAt: Date | null
}

// Returns, and the actions that answer them.
const ANSWERS = sql`('submit', 'return', 'submit version', 'return version', 'withdraw version',
  'accept version', 'publish')`

/** Documents with the names of what they refer to; `where` uses `d` for the table of documents. */
export async function readDocuments(
  db: Kysely<Schema>,
  where: RawBuilder<unknown>,
  { order = sql`d.id`, limit = null as number | null, offset = 0 } = {},
): Promise<DocumentRow[]> {
  const { rows } = await sql<DocumentRow>`
    SELECT d.id, d.state, d.revision, d.is_taken_down, d.title, d.description, d.price,
      d.price_discount, d.audience, d.level,
      d.category_id, c.name AS category_name, c.code AS category_code, c.names AS category_names,
      d.matiere_id, m.name AS matiere_name, m.code AS matiere_code, m.names AS matiere_names,
      d.niveau_id, n.name AS niveau_name, n.code AS niveau_code, n.names AS niveau_names,
      d.teacher_id, trim(t.first_name || ' ' || t.last_name) AS teacher_name,
      t.user_id AS teacher_user_id,
      d.cover_path, d.livre_path, d.cover_mapping_id, k.cover_path AS mapping_cover_path,
      k.livre_path AS mapping_livre_path, k.color AS mapping_color,
      d.file_id, d.sample_pages, f.file_type, f.page_count, d.rating, d.rating_count, d.sales_count,
      d.created_at, d.changed_at, d.first_published_at,
      (SELECT number FROM document_versions
        WHERE document_id = d.id AND state = 'submitted') AS waiting_version,
      last.action AS last_action, last.reason AS last_reason, last.field AS last_field,
      last.made_at AS last_at
    FROM documents d
    JOIN teachers t ON t.id = d.teacher_id
    LEFT JOIN categories c ON c.id = d.category_id
    LEFT JOIN matieres m ON m.id = d.matiere_id
    LEFT JOIN niveaux n ON n.id = d.niveau_id
    LEFT JOIN files f ON f.id = d.file_id
    LEFT JOIN cover_mappings k ON k.id = d.cover_mapping_id
    LEFT JOIN LATERAL (
      SELECT action, reason, field, made_at FROM document_events
      WHERE document_id = d.id AND action IN ${ANSWERS} ORDER BY id DESC LIMIT 1
    ) AS last ON true
    WHERE ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`.execute(db)
  return rows
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
