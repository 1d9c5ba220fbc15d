import { type Kysely, sql } from 'kysely'
import type { CoverMapping } from '../../contract/references.ts'
import type { Millimes } from '../../rules/money.ts'
import type { Schema } from '../database/schema.ts'
import { fault } from '../http/errors.ts'

export interface KeptDocument extends CoverMappingRow {
  id: number
  title: string
  price: Millimes
  priceDiscount: Millimes | null
  coverPath: string | null
  livrePath: string | null
  matiereCode: string | null
}

/** The columns of a `KeptDocument`, from `KEPT_TABLES`. */
export const KEPT_COLUMNS = sql`d.id, d.title, d.price, discount_now(d) AS price_discount, d.cover_path, d.livre_path,
  d.cover_mapping_id, k.cover_path AS mapping_cover_path, k.livre_path AS mapping_livre_path,
  k.color AS mapping_color, m.code AS matiere_code`

/** Joins a row with the alias `item` to its published document and the data shown with it. */
export const KEPT_TABLES = sql`JOIN documents d ON d.id = item.document_id AND d.is_published
  JOIN matieres m ON m.id = d.matiere_id
  LEFT JOIN cover_mappings k ON k.id = d.cover_mapping_id`

export function presentKept(row: KeptDocument) {
  return {
    id: row.id,
    title: row.title,
    price: row.price,
    priceDiscount: row.priceDiscount,
    coverPath: row.coverPath,
    coverMapping: presentMappingOf(row),
    matiereCode: row.matiereCode,
  }
}

/** Throws `document_not_found` for a document that is unknown or not published. */
export async function requirePublished(db: Kysely<Schema>, documentId: number): Promise<void> {
  const document = await db
    .selectFrom('documents')
    .select('id')
    .where('id', '=', documentId)
    .where('isPublished', '=', true)
    .executeTakeFirst()
  if (!document) throw fault('document_not_found')
}

/** The cover mapping of a document; the other columns are null if it has none. */
interface CoverMappingRow {
  coverMappingId: number | null
  mappingCoverPath: string | null
  mappingLivrePath: string | null
  mappingColor: string | null
}

export function presentMappingOf(row: CoverMappingRow): CoverMapping | null {
  if (row.coverMappingId === null) return null
  return {
    coverPath: row.mappingCoverPath,
    livrePath: row.mappingLivrePath,
    color: row.mappingColor,
  }
}
