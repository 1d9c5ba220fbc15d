import type {
  CoverMapping,
  Document,
  DocumentPage,
  Named,
  Niveau,
  Teacher,
} from '../../contract/catalogue.ts'
import { inDinars, type Millimes } from '../../rules/money.ts'
import type { Level } from '../../rules/price-bands.ts'
import { type CoverMappingRow, presentMappingOf } from './cover-mappings.ts'

/** A document as `documents.ts` reads it, with the names that belong to it. */
export interface DocumentRow extends CoverMappingRow {
  id: number
  title: string
  description: string
  price: Millimes
  price_discount: Millimes | null
  rating: number | string
  rating_count: number
  audience: string
  uploaded_at: Date
  sales_count: number
  cover_path: string | null
  livre_path: string | null
  teacher_id: number
  teacher_first_name: string
  teacher_last_name: string
  category_id: number
  category_name: string
  category_code: string | null
  matiere_id: number
  matiere_name: string
  matiere_code: string | null
  niveau_id: number
  niveau_name: string
  niveau_code: string | null
  level: string
  file_type: string
  page_count: number | null
}

/** Where the file lies is nobody's business but the server's: `filePath` is always null. */
export function presentDocument(row: DocumentRow): Document {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    price: inDinars(row.price),
    priceDiscount: row.price_discount === null ? null : inDinars(row.price_discount),
    rating: Number(row.rating),
    ratingCount: row.rating_count,
    categorie: { id: row.category_id, name: row.category_name, code: row.category_code },
    matiere: { id: row.matiere_id, name: row.matiere_name, code: row.matiere_code },
    classe: {
      id: row.niveau_id,
      name: row.niveau_name,
      code: row.niveau_code,
      level: row.level as Level,
    },
    type: row.audience,
    uploadedAt: row.uploaded_at.toISOString(),
    salesCount: row.sales_count,
    teacher: { id: row.teacher_id, name: fullName(row.teacher_first_name, row.teacher_last_name) },
    coverPath: row.cover_path,
    livrePath: row.livre_path,
    coverMappingId: row.cover_mapping_id,
    coverMapping: presentMappingOf(row),
    filePath: null,
    fileType: row.file_type,
    pageCount: row.page_count,
  }
}

/** A page of a result; `size` is how many a full page holds. */
export function presentPage(
  rows: readonly DocumentRow[],
  { total, page, size }: { total: number; page: number; size: number },
): DocumentPage {
  return {
    content: rows.map(presentDocument),
    totalPages: Math.ceil(total / size),
    totalElements: total,
    number: page,
  }
}

export interface TeacherRow {
  id: number
  first_name: string
  last_name: string
  email: string
  bio: string
  rating_sum: number
  rating_count: number
  review_count: number
  sales_count: number
  document_count: number
}

export function presentTeacher(row: TeacherRow): Teacher {
  return {
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    username: fullName(row.first_name, row.last_name),
    bio: row.bio,
    email: row.email,
    rating: average(row.rating_sum, row.rating_count),
    ratingCount: row.rating_count,
    salesCount: row.sales_count,
    reviewCount: row.review_count,
    documentCount: row.document_count,
  }
}

/** Two decimals; the interface rounds to the one that it shows. */
function average(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round((sum * 100) / count) / 100
}

function fullName(first: string, last: string): string {
  return `${first} ${last}`.trim()
}

export function presentNamed(row: { id: number; name: string; code: string | null }): Named {
  return { id: row.id, name: row.name, code: row.code }
}

export function presentNiveau(row: {
  id: number
  name: string
  code: string | null
  level: string
}): Niveau {
  return { ...presentNamed(row), level: row.level as Level }
}

export function presentCoverMapping(row: {
  cover_path: string | null
  livre_path: string | null
  color: string | null
}): CoverMapping {
  return { coverPath: row.cover_path, livrePath: row.livre_path, color: row.color }
}
