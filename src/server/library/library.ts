import { type Kysely, sql } from 'kysely'
import type { Schema } from '../database/schema.ts'

/** A customer's purchases, with the names that the table of their documents shows. */
function selectPurchases(db: Kysely<Schema>, userId: number) {
  return db
    .selectFrom('purchases as p')
    .innerJoin('documents as d', 'd.id', 'p.documentId')
    .innerJoin('categories as c', 'c.id', 'd.categoryId')
    .innerJoin('matieres as m', 'm.id', 'd.matiereId')
    .innerJoin('niveaux as n', 'n.id', 'd.niveauId')
    .innerJoin('teachers as t', 't.id', 'd.teacherId')
    .innerJoin('files as f', 'f.id', 'd.fileId')
    .where('p.userId', '=', userId)
    .select(['p.documentId', 'p.price', 'p.purchasedAt', 'd.title', 'd.rating', 'd.salesCount'])
    .select(['c.id as categoryId', 'c.name as categoryName', 'c.code as categoryCode'])
    .select(['m.id as matiereId', 'm.name as matiereName', 'm.code as matiereCode'])
    .select(['n.id as niveauId', 'n.name as niveauName', 'n.code as niveauCode'])
    .select(['c.names as categoryNames', 'm.names as matiereNames', 'n.names as niveauNames'])
    .select([
      'd.teacherId',
      't.firstName',
      't.lastName',
      't.latinName',
      'f.fileType',
      'f.pageCount',
    ])
}

export type PurchasedRow = Awaited<ReturnType<typeof purchasesOf>>[number]

/** All that a customer bought, newest first; unpublished documents stay theirs. */
export function purchasesOf(db: Kysely<Schema>, userId: number) {
  return selectPurchases(db, userId)
    .orderBy('p.purchasedAt', 'desc')
    .orderBy('p.id', 'desc')
    .execute()
}

/** One purchase of a customer; undefined when they did not buy the document. */
export function findPurchase(
  db: Kysely<Schema>,
  { userId, documentId }: { userId: number; documentId: number },
): Promise<PurchasedRow | undefined> {
  return selectPurchases(db, userId).where('p.documentId', '=', documentId).executeTakeFirst()
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

/** The file of a document that this customer bought, or why they do not get it. */
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

/** The file of a version of a document, for the teacher whose account this is, and for administrators. */
export async function findOwnFile(
  db: Kysely<Schema>,
  { userId, documentId, version }: { userId: number; documentId: number; version: number },
): Promise<LibraryFile | 'unknown'> {
  const { rows } = await sql<LibraryFile>`
    SELECT d.title, f.storage_key AS "storageKey", f.media_type AS "mediaType",
      f.file_type AS "fileType", f.size, f.sha256
    FROM documents d
    JOIN teachers t ON t.id = d.teacher_id
    JOIN users u ON u.id = ${userId} AND u.blocked_at IS NULL
      AND (u.id = t.user_id OR u.role = 'ADMIN')
    JOIN document_versions v ON v.document_id = d.id AND v.number = ${version}
    JOIN files f ON f.id = v.file_id
    WHERE d.id = ${documentId}`.execute(db)
  return rows[0] ?? 'unknown'
}

export { BadPicture, normaliseCover, normalisePortrait } from './normalise-picture.ts'
export { signPreview } from './preview-link.ts'
export {
  createRenderer,
  ExhaustingPdf,
  type Renderer,
  RendererBusy,
  UnreadablePdf,
} from './renderer.ts'
