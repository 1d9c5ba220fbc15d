import * as s from 'superstruct'
import { DOCUMENT_FIELDS } from '../rules/document-fields.ts'
import { UNKNOWN_ID } from '../rules/features.ts'
import { PAGE_NUMBER_MAX, PAGE_SIZE_MAX } from '../rules/pager.ts'
import {
  KIND_CODE,
  PAPER_FACETS,
  PAPER_NUMBER_MAX,
  type PaperFacet,
  TRIMESTERS,
} from '../rules/papers.ts'
import { AUDIENCES, LEVELS } from '../rules/price-bands.ts'
import { RATING_MAX, RATING_MIN } from '../rules/rating.ts'
import { defineCall } from './call.ts'
import {
  ClassInDocument,
  CoverMapping,
  InEachLanguage,
  Named,
  NamedInDocument,
  someDetails,
} from './references.ts'
import {
  byId,
  dinarAmount,
  dinarText,
  extra,
  id,
  idOrNone,
  numberOrNone,
  ours,
  saidMoment,
  searchedText,
  textOrNone,
  whole,
} from './values.ts'

const pathOrNone = () => ours(s.nullable(s.string()), null)

/** A document of the catalogue. Prices in dinars. */
export const Document = s.type({
  id: id(),
  title: textOrNone(),
  description: textOrNone(),
  price: dinarAmount(),
  priceDiscount: ours(s.nullable(dinarAmount()), null),
  /** The average of the ratings that count; 0 without any. */
  rating: numberOrNone(),
  ratingCount: numberOrNone(),
  categorie: NamedInDocument,
  matiere: NamedInDocument,
  classe: ClassInDocument,
  /** The audience: 'Pour Élève' or 'Pour Enseignant'. */
  type: textOrNone(),
  uploadedAt: saidMoment(),
  salesCount: numberOrNone(),
  /** `latinName` only if the teacher has one. */
  teacher: ours(s.type({ id: idOrNone(), name: textOrNone(), latinName: extra(s.string()) }), {
    id: UNKNOWN_ID,
    name: '',
  }),
  coverPath: pathOrNone(),
  livrePath: pathOrNone(),
  coverMappingId: ours(s.nullable(id()), null),
  coverMapping: ours(s.nullable(CoverMapping), null),
  filePath: pathOrNone(),
  fileType: extra(s.nullable(s.string())),
  pageCount: extra(s.nullable(s.number())),
  ...someDetails,
  /** The names of its kind, if administrators have added that one. */
  kindNames: extra(InEachLanguage),
  /** Only if it has any. */
  chapters: extra(s.array(Named)),
  /** Present, and true, if another document for sale is its correction. */
  hasCorrection: extra(s.boolean()),
})
export type Document = s.Infer<typeof Document>

export const Teacher = s.type({
  id: id(),
  firstName: textOrNone(),
  lastName: textOrNone(),
  username: textOrNone(),
  bio: textOrNone(),
  /** The address that the teacher shows, never the one of a log-in; '' if there is none. */
  email: textOrNone(),
  rating: numberOrNone(),
  ratingCount: numberOrNone(),
  salesCount: numberOrNone(),
  reviewCount: numberOrNone(),
  /** How many documents are published. */
  documentCount: extra(s.number()),
  /** The fields from here on are present only if the teacher has filled them in. */
  latinName: extra(s.string()),
  bioFr: extra(s.string()),
  bioEn: extra(s.string()),
  picturePath: extra(s.string()),
  subjects: extra(s.array(Named)),
  levels: extra(s.array(s.enums(LEVELS))),
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
const schoolYears = DOCUMENT_FIELDS.schoolYear
const paperFilters = {
  /** `control` finds ordinary tests, too. */
  paperKind: s.optional(s.pattern(s.string(), KIND_CODE)),
  /** The whole number in the number of the paper. */
  paperNumber: s.optional(whole(1, PAPER_NUMBER_MAX)),
  trimester: s.optional(s.enums(TRIMESTERS)),
  withCorrection: s.optional(s.enums(['true'])),
  schoolYear: s.optional(whole(schoolYears.least, schoolYears.most)),
}

export const DocumentFilters = s.object({
  title: s.optional(searchedText()),
  match: s.optional(s.enums(MATCHES)),
  /** Searches for the words as typed, without correction. */
  literal: s.optional(s.enums(['true'])),
  matiereId: s.optional(id()),
  niveauId: s.optional(id()),
  chapterId: s.optional(id()),
  categoryId: s.optional(id()),
  type: s.optional(s.enums(AUDIENCES)),
  level: s.optional(s.enums(LEVELS)),
  ...paperFilters,
  minPrice: s.optional(dinarText()),
  maxPrice: s.optional(dinarText()),
  teacherId: s.optional(id()),
  rating: s.optional(whole(RATING_MIN, RATING_MAX)),
  sort: s.optional(s.enums(SORTS)),
  page: s.optional(whole(0, PAGE_NUMBER_MAX)),
  size: s.optional(whole(1, PAGE_SIZE_MAX)),
})
export type DocumentFilters = s.Infer<typeof DocumentFilters>

/** The filters that the words of a search may say. */
export const UNDERSTOOD = ['niveauId', 'matiereId', ...PAPER_FACETS] as const

const Counts = s.record(s.string(), s.number())
const countsOfPapers = Object.fromEntries(PAPER_FACETS.map((name) => [name, Counts])) as Record<
  PaperFacet,
  typeof Counts
>

/** A page of the shop; a page past the last one is empty. */
export const DocumentPage = s.type({
  content: s.array(Document),
  totalPages: s.number(),
  totalElements: s.number(),
  /** This page, from 0. */
  number: s.number(),
  /**
   * By filter and value, how many documents that value would find with the other filters unchanged;
   * a missing value finds none. `price` counts by the ids of the bands.
   */
  facets: extra(
    s.type({
      level: Counts,
      niveauId: Counts,
      matiereId: Counts,
      categoryId: Counts,
      type: Counts,
      ...countsOfPapers,
      /** Only with a class and a subject. */
      chapterId: extra(Counts),
      price: Counts,
      rating: Counts,
    }),
  ),
  /**
   * What the words of `title` say as facts; the documents with these facts come first. `left` is the
   * text without the words that say it.
   */
  understood: extra(
    s.array(s.type({ filter: s.enums(UNDERSTOOD), value: s.string(), left: s.string() })),
  ),
  /**
   * The text that `title` probably means if it finds little; `isApplied`: `title` finds nothing, so
   * the page has the results for this text.
   */
  spelling: extra(s.type({ text: s.string(), isApplied: s.boolean() })),
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
