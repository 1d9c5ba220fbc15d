import type { Document, DocumentPage, Teacher } from '../../contract/catalogue.ts'
import type { Named } from '../../contract/names.ts'
import type { Names } from '../../rules/catalogue-names.ts'
import type { Millimes } from '../../rules/money.ts'
import type { Level } from '../../rules/price-bands.ts'
import { averageOf } from '../../rules/rating.ts'
import { type CoverMappingRow, presentMappingOf } from './cover-mappings.ts'

/** A document as `documents.ts` reads it, with the names that belong to it. */
export interface DocumentRow extends CoverMappingRow {
  id: number
  title: string
  description: string
  price: Millimes
  priceDiscount: Millimes | null
  rating: number | string
  ratingCount: number
  audience: string
  uploadedAt: Date
  salesCount: number
  coverPath: string | null
  livrePath: string | null
  teacherId: number
  teacherFirstName: string
  teacherLastName: string
  teacherLatinName: string
  categoryId: number
  categoryName: string
  categoryCode: string | null
  categoryNames: Names | null
  matiereId: number
  matiereName: string
  matiereCode: string | null
  matiereNames: Names | null
  niveauId: number
  niveauName: string
  niveauCode: string | null
  niveauNames: Names | null
  level: string
  fileType: string
  pageCount: number | null
}

/** A category, subject or class, with its names only where administrators have written them. */
export function presentNamed<Row extends { names: Names | null }>({ names, ...row }: Row) {
  return { ...row, ...(names && { names }) }
}

/** Where the file lies stays on the server: `filePath` is always null. */
export function presentDocument(row: DocumentRow): Document {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    price: row.price,
    priceDiscount: row.priceDiscount,
    rating: Number(row.rating),
    ratingCount: row.ratingCount,
    categorie: presentNamed({
      id: row.categoryId,
      name: row.categoryName,
      code: row.categoryCode,
      names: row.categoryNames,
    }),
    matiere: presentNamed({
      id: row.matiereId,
      name: row.matiereName,
      code: row.matiereCode,
      names: row.matiereNames,
    }),
    classe: {
      ...presentNamed({
        id: row.niveauId,
        name: row.niveauName,
        code: row.niveauCode,
        names: row.niveauNames,
      }),
      level: row.level as Level,
    },
    type: row.audience,
    uploadedAt: row.uploadedAt.toISOString(),
    salesCount: row.salesCount,
    teacher: {
      id: row.teacherId,
      name: fullName(row.teacherFirstName, row.teacherLastName),
      ...(row.teacherLatinName && { latinName: row.teacherLatinName }),
    },
    coverPath: row.coverPath,
    livrePath: row.livrePath,
    coverMappingId: row.coverMappingId,
    coverMapping: presentMappingOf(row),
    filePath: null,
    fileType: row.fileType,
    pageCount: row.pageCount,
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
  firstName: string
  lastName: string
  latinName: string
  email: string
  bio: string
  bioFr: string
  bioEn: string
  levels: Level[]
  picturePath: string | null
  ratingSum: number
  ratingCount: number
  reviewCount: number
  salesCount: number
  documentCount: number
  /** null: none are named. */
  subjects: (Named & { names: Names | null })[] | null
}

export function presentTeacher(row: TeacherRow): Teacher {
  return {
    id: row.id,
    firstName: row.firstName,
    lastName: row.lastName,
    username: fullName(row.firstName, row.lastName),
    bio: row.bio,
    email: row.email,
    rating: averageOf(row.ratingSum, row.ratingCount),
    ratingCount: row.ratingCount,
    salesCount: row.salesCount,
    reviewCount: row.reviewCount,
    documentCount: row.documentCount,
    ...(row.latinName && { latinName: row.latinName }),
    ...(row.bioFr && { bioFr: row.bioFr }),
    ...(row.bioEn && { bioEn: row.bioEn }),
    ...(row.picturePath && { picturePath: row.picturePath }),
    ...(row.subjects && { subjects: row.subjects.map(presentNamed) }),
    ...(row.levels.length > 0 && { levels: row.levels }),
  }
}

function fullName(first: string, last: string): string {
  return `${first} ${last}`.trim()
}
