import * as s from 'superstruct'
import { PAGE_NUMBER_MAX, PAGE_SIZE_MAX } from '../rules/pager.ts'
import { AUDIENCES, LEVELS } from '../rules/price-bands.ts'
import { RATING_MAX, RATING_MIN } from '../rules/rating.ts'
import { SEARCH_TEXT_MAX_LENGTH } from '../rules/suggestions.ts'
import { defineCall } from './call.ts'
import { CoverMapping, Named, SchoolClass, SomeDetails } from './references.ts'
import { byId, dinarAmount, dinarText, id, moment, trimmedText, whole } from './values.ts'

/** A document of the catalogue. Prices in dinars. */
export const Document = s.type({
  id: id(),
  title: s.string(),
  description: s.string(),
  price: dinarAmount(),
  priceDiscount: s.nullable(dinarAmount()),
  /** The average of the ratings that count; 0 without any. */
  rating: s.number(),
  ratingCount: s.number(),
  categorie: Named,
  matiere: Named,
  classe: SchoolClass,
  /** The audience: 'Pour Élève' or 'Pour Enseignant'. */
  type: s.string(),
  uploadedAt: moment(),
  salesCount: s.number(),
  /** `latinName` only if the teacher has one. */
  teacher: s.type({ id: id(), name: s.string(), latinName: s.optional(s.string()) }),
  coverPath: s.nullable(s.string()),
  livrePath: s.nullable(s.string()),
  coverMappingId: s.nullable(id()),
  coverMapping: s.nullable(CoverMapping),
  filePath: s.nullable(s.string()),
  fileType: s.optional(s.nullable(s.string())),
  pageCount: s.optional(s.nullable(s.number())),
  ...SomeDetails.schema,
})
export type Document = s.Infer<typeof Document>

export const Teacher = s.type({
  id: id(),
  firstName: s.string(),
  lastName: s.string(),
  username: s.string(),
  bio: s.string(),
  /** The address that the teacher shows, never the one of a log-in; '' if there is none. */
  email: s.string(),
  rating: s.number(),
  ratingCount: s.number(),
  salesCount: s.number(),
  reviewCount: s.number(),
  /** How many documents are published; other backends may lack it. */
  documentCount: s.optional(s.number()),
  /** The fields from here on are present only if the teacher has filled them in. */
  latinName: s.optional(s.string()),
  bioFr: s.optional(s.string()),
  bioEn: s.optional(s.string()),
  picturePath: s.optional(s.string()),
  subjects: s.optional(s.array(Named)),
  levels: s.optional(s.array(s.enums(LEVELS))),
})
export type Teacher = s.Infer<typeof Teacher>

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
export const DocumentFilters = s.object({
  title: s.optional(s.size(trimmedText(), 0, SEARCH_TEXT_MAX_LENGTH)),
  match: s.optional(s.enums(MATCHES)),
  /** Searches for the words as typed, without correction. */
  literal: s.optional(s.enums(['true'])),
  matiereId: s.optional(id()),
  niveauId: s.optional(id()),
  categoryId: s.optional(id()),
  type: s.optional(s.enums(AUDIENCES)),
  level: s.optional(s.enums(LEVELS)),
  minPrice: s.optional(dinarText()),
  maxPrice: s.optional(dinarText()),
  teacherId: s.optional(id()),
  rating: s.optional(whole(RATING_MIN, RATING_MAX)),
  sort: s.optional(s.enums(SORTS)),
  page: s.optional(whole(0, PAGE_NUMBER_MAX)),
  size: s.optional(whole(1, PAGE_SIZE_MAX)),
})
export type DocumentFilters = s.Infer<typeof DocumentFilters>

const Counts = s.record(s.string(), s.number())

/** A page of the shop; a page past the last one is empty. */
export const DocumentPage = s.type({
  content: s.array(Document),
  totalPages: s.number(),
  totalElements: s.number(),
  /** This page, from 0. */
  number: s.number(),
  /**
   * By filter and value, how many documents that value would find with the other filters unchanged;
   * a missing value finds none. `price` counts by the ids of the bands. Other backends may lack it.
   */
  facets: s.optional(
    s.type({
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
  spelling: s.optional(s.type({ text: s.string(), isApplied: s.boolean() })),
})
export type DocumentPage = s.Infer<typeof DocumentPage>

export const listDocuments = defineCall('GET /documents', 'anyone', { result: s.array(Document) })
export const listFeatured = defineCall('GET /documents/featured', 'anyone', {
  result: s.array(Document),
})
export const listTopSelling = defineCall('GET /documents/top-selling', 'anyone', {
  result: s.array(Document),
})
export const listByFeaturedAuthors = defineCall('GET /documents/by-featured-authors', 'anyone', {
  result: s.array(Document),
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
  params: s.object({ teacherId: id() }),
  result: s.array(Document),
  errors: ['teacher_not_found'],
})
export const listTeachers = defineCall('GET /teachers', 'anyone', { result: s.array(Teacher) })
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
