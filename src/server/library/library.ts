import { type Kysely, sql } from 'kysely'
import type { Millimes } from '../../rules/money.ts'
import type { Schema } from '../database/schema.ts'

/** What a customer bought, with the names that the table of my documents shows. */
export interface PurchasedRow {
  documentId: number
  title: string
  price: Millimes
  purchasedAt: Date
  rating: number | string
  salesCount: number
  categoryId: number
  categoryName: string
  categoryCode: string | null
  matiereId: number
  matiereName: string
  matiereCode: string | null
  niveauId: number
  niveauName: string
  niveauCode: string | null
  teacherId: number
  teacherFirstName: string
  teacherLastName: string
  fileType: string
  pageCount: number | null
}

const PURCHASED = sql`
  SELECT p.document_id, p.price, p.purchased_at, d.title, d.rating, d.sales_count,
    d.category_id, c.name AS category_name, c.code AS category_code,
    d.matiere_id, m.name AS matiere_name, m.code AS matiere_code,
    d.niveau_id, n.name AS niveau_name, n.code AS niveau_code,
    d.teacher_id, t.first_name AS teacher_first_name, t.last_name AS teacher_last_name,
    f.file_type, f.page_count
  FROM purchases p
  JOIN documents d ON d.id = p.document_id
  JOIN categories c ON c.id = d.category_id
  JOIN matieres m ON m.id = d.matiere_id
  JOIN niveaux n ON n.id = d.niveau_id
  JOIN teachers t ON t.id = d.teacher_id
  JOIN files f ON f.id = d.file_id`

/** All that a customer bought, newest first; unpublished documents stay theirs. */
export async function purchasesOf(db: Kysely<Schema>, userId: number): Promise<PurchasedRow[]> {
  const { rows } = await sql<PurchasedRow>`
    ${PURCHASED} WHERE p.user_id = ${userId} ORDER BY p.purchased_at DESC, p.id DESC`.execute(db)
  return rows
}

/** One purchase of a customer; undefined when they did not buy the document. */
export async function findPurchase(
  db: Kysely<Schema>,
  { userId, documentId }: { userId: number; documentId: number },
): Promise<PurchasedRow | undefined> {
  const { rows } = await sql<PurchasedRow>`
    ${PURCHASED} WHERE p.user_id = ${userId} AND p.document_id = ${documentId}`.execute(db)
  return rows[0]
}

/** A document's file, for its buyer. */
export interface LibraryFile {
  readonly title: string
  readonly storageKey: string
  readonly mediaType: string
  readonly fileType: string
  readonly size: number
  readonly sha256: string
}

/** The file when this customer bought it, or why there is none. */
export async function findFile(
  db: Kysely<Schema>,
  { userId, documentId }: { userId: number; documentId: number },
): Promise<LibraryFile | 'unknown' | 'not bought'> {
  const { rows } = await sql<LibraryFile & { isOwned: boolean; isPublished: boolean }>`
    SELECT d.title, f.storage_key AS "storageKey", f.media_type AS "mediaType",
      f.file_type AS "fileType", f.size, f.sha256,
      d.is_published AS "isPublished", p.id IS NOT NULL AS "isOwned"
    FROM documents d
    JOIN files f ON f.id = d.file_id
    LEFT JOIN purchases p ON p.document_id = d.id AND p.user_id = ${userId}
    WHERE d.id = ${documentId}`.execute(db)
  const [row] = rows
  if (!row) return 'unknown'
  if (row.isOwned) return row
  return row.isPublished ? 'not bought' : 'unknown'
}

export { BadCover, normaliseCover } from './covers.ts'
export {
  createRenderer,
  ExhaustingPdf,
  type Renderer,
  RendererBusy,
  UnreadablePdf,
} from './renderer.ts'
