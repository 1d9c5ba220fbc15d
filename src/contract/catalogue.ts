import {
  array,
  boolean,
  enums,
  type Infer,
  nullable,
  number,
  object,
  optional,
  record,
  size,
  string,
  type,
} from 'superstruct'
import { PAGE_NUMBER_MAX, PAGE_SIZE_MAX } from '../rules/pager.ts'
import { AUDIENCES, LEVELS } from '../rules/price-bands.ts'
import { RATING_MAX, RATING_MIN } from '../rules/rating.ts'
import { SEARCH_TEXT_MAX_LENGTH } from '../rules/suggestions.ts'
import { defineCall } from './call.ts'
import { CoverMapping, Named, SchoolClass, SomeDetails } from './references.ts'
import { byId, dinarAmount, dinarText, id, moment, trimmedText, whole } from './values.ts'

/** A document of the catalogue. Prices in dinars. */
export const Document = type({
  id: id(),
  title: string(),
  description: string(),
  price: dinarAmount(),
  priceDiscount: nullable(dinarAmount()),
  /** The average of the ratings that count; 0 without any. */
  rating: number(),
  ratingCount: number(),
  categorie: Named,
  matiere: Named,
  classe: SchoolClass,
  /** The audience: 'Pour Élève' or 'Pour Enseignant'. */
  type: string(),
  uploadedAt: moment(),
  salesCount: number(),
  /** `latinName` only if the teacher has one. */
  teacher: type({ id: id(), name: string(), latinName: optional(string()) }),
  coverPath: nullable(string()),
  livrePath: nullable(string()),
  coverMappingId: nullable(id()),
  coverMapping: nullable(CoverMapping),
  filePath: nullable(string()),
  fileType: optional(nullable(string())),
  pageCount: optional(nullable(number())),
  ...SomeDetails.schema,
})
export type Document = Infer<typeof Document>

export const Teacher = type({
  id: id(),
  firstName: string(),
  lastName: string(),
  username: string(),
  bio: string(),
  email: string(),
  rating: number(),
  ratingCount: number(),
  salesCount: number(),
  reviewCount: number(),
  /** How many documents are published; other backends may lack it. */
  documentCount: optional(number()),
  /** The fields from here on are present only if the teacher has filled them in. */
  latinName: optional(string()),
  bioFr: optional(string()),
  bioEn: optional(string()),
  picturePath: optional(string()),
  subjects: optional(array(Named)),
  levels: optional(array(enums(LEVELS))),
})
export type Teacher = Infer<typeof Teacher>

/**
 * `relevance` needs a search text, and is then the default; without one the default is `newest`.
 */
export const SORTS = ['relevance', 'newest', 'price', '-price', 'rating', 'sales'] as const
export type Sort = (typeof SORTS)[number]

/**
 * How `title` is searched: by words, the last one as a prefix; or anywhere, with whole words first.
 */
export const MATCHES = ['words', 'contains'] as const

/** The filters and order of a list of documents; `page` counts from 0. */
export const DocumentFilters = object({
  title: optional(size(trimmedText(), 0, SEARCH_TEXT_MAX_LENGTH)),
  match: optional(enums(MATCHES)),
  /** Searches for the words as typed, without correction. */
  literal: optional(enums(['true'])),
  matiereId: optional(id()),
  niveauId: optional(id()),
  categoryId: optional(id()),
  type: optional(enums(AUDIENCES)),
  level: optional(enums(LEVELS)),
  minPrice: optional(dinarText()),
  maxPrice: optional(dinarText()),
  teacherId: optional(id()),
  rating: optional(whole(RATING_MIN, RATING_MAX)),
  sort: optional(enums(SORTS)),
  page: optional(whole(0, PAGE_NUMBER_MAX)),
  size: optional(whole(1, PAGE_SIZE_MAX)),
})
export type DocumentFilters = Infer<typeof DocumentFilters>

const Counts = record(string(), number())

/** A page of the shop; a page past the last one is empty. */
export const DocumentPage = type({
  content: array(Document),
  totalPages: number(),
  totalElements: number(),
  /** This page, from 0. */
  number: number(),
  /**
   * By filter and value, how many documents that value would find with the other filters unchanged;
   * a missing value finds none. `price` counts by the ids of the bands. Other backends may lack it.
   */
  facets: optional(
    type({
      level: Counts,
      niveauId: Counts,
      matiereId: Counts,
      categoryId: Counts,
      type: Counts,
      price: Counts,
      rating: Counts,
    }),
  ),
  /**
   * The text that `title` probably means if it finds little; `isApplied`: `title` finds nothing, so
   * the page has the results for this text.
   */
  spelling: optional(type({ text: string(), isApplied: boolean() })),
})
export type DocumentPage = Infer<typeof DocumentPage>

export const listDocuments = defineCall('GET /documents', 'anyone', { result: array(Document) })
export const listFeatured = defineCall('GET /documents/featured', 'anyone', {
  result: array(Document),
})
export const listTopSelling = defineCall('GET /documents/top-selling', 'anyone', {
  result: array(Document),
})
export const listByFeaturedAuthors = defineCall('GET /documents/by-featured-authors', 'anyone', {
  result: array(Document),
})
export const searchDocuments = defineCall('GET /documents/paginated', 'anyone', {
  query: DocumentFilters,
  result: DocumentPage,
})
export const getDocument = defineCall('GET /documents/:id', 'anyone', {
  params: byId,
  result: Document,
  errors: ['document_not_found'],
})
export const listTeacherDocuments = defineCall('GET /documents/teacher/:teacherId', 'anyone', {
  params: object({ teacherId: id() }),
  result: array(Document),
  errors: ['teacher_not_found'],
})
export const listTeachers = defineCall('GET /teachers', 'anyone', { result: array(Teacher) })
export const getTeacher = defineCall('GET /teachers/:id', 'anyone', {
  params: byId,
  result: Teacher,
  errors: ['teacher_not_found'],
})
export const getCoverMapping = defineCall('GET /covermappings/:id', 'anyone', {
  params: byId,
  result: CoverMapping,
  errors: ['not_found'],
})
