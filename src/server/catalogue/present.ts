import type { Document, Teacher } from '../../contract/catalogue.ts'
import type { CoverMapping, Named, SchoolClass } from '../../contract/references.ts'
import { type Details, givenDetails } from '../../rules/document-fields.ts'
import { fullName } from '../../rules/full-name.ts'
import type { InEachLanguage } from '../../rules/languages.ts'
import type { Millimes } from '../../rules/money.ts'
import type { Level } from '../../rules/price-bands.ts'
import { averageOf } from '../../rules/rating.ts'
import { presentNamed } from './names.ts'

/** A document as `documents.ts` reads it; the entries that it refers to by id are in memory. */
export interface ReadDocument extends Details {
  id: number
  title: string
  description: string
  price: Millimes
  priceDiscount: Millimes | null
  rating: number
  ratingCount: number
  audience: string
  uploadedAt: Date
  salesCount: number
  coverPath: string | null
  livrePath: string | null
  categoryId: number
  matiereId: number
  niveauId: number
  coverMappingId: number | null
  chapterIds: number[]
  teacherId: number
  teacherFirstName: string
  teacherLastName: string
  teacherLatinName: string
  fileType: string
  pageCount: number | null
  hasCorrection: boolean
}

export interface CatalogueRow extends ReadDocument {
  category: Named
  matiere: Named
  schoolClass: SchoolClass
  coverMapping: CoverMapping | null
  chapters: Named[]
  kindNames: InEachLanguage | undefined
}

/** Presents a document. The place of its file stays on the server: `filePath` is always null. */
export function presentDocument(row: CatalogueRow): Document {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    price: row.price,
    priceDiscount: row.priceDiscount,
    rating: row.rating,
    ratingCount: row.ratingCount,
    categorie: row.category,
    matiere: row.matiere,
    classe: row.schoolClass,
    type: row.audience,
    uploadedAt: row.uploadedAt.toISOString(),
    salesCount: row.salesCount,
    teacher: {
      id: row.teacherId,
      name: fullName({ firstName: row.teacherFirstName, lastName: row.teacherLastName }),
      ...(row.teacherLatinName && { latinName: row.teacherLatinName }),
    },
    coverPath: row.coverPath,
    livrePath: row.livrePath,
    coverMappingId: row.coverMappingId,
    coverMapping: row.coverMapping,
    filePath: null,
    fileType: row.fileType,
    pageCount: row.pageCount,
    ...(Object.fromEntries(givenDetails(row)) as Partial<Details>),
    ...(row.kindNames && { kindNames: row.kindNames }),
    ...(row.chapters.length > 0 && { chapters: row.chapters }),
    ...(row.hasCorrection && { hasCorrection: true }),
  }
}

export interface TeacherRow {
  id: number
  firstName: string
  lastName: string
  latinName: string
  /** The address that the teacher shows; '' if there is none. */
  contactEmail: string
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
  /** null if none are named. */
  subjects: (Named & { names: InEachLanguage | null })[] | null
}

export function presentTeacher(row: TeacherRow): Teacher {
  return {
    id: row.id,
    firstName: row.firstName,
    lastName: row.lastName,
    username: fullName(row),
    bio: row.bio,
    email: row.contactEmail,
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
