import * as s from 'superstruct'
import { FIELD_NAMES } from '../rules/document-fields.ts'
import { REVIEW_REASON_MAX_LENGTH } from '../rules/document-life.ts'
import { defineCall } from './call.ts'
import { OfferedPaper } from './office-corrections.ts'
import { DocumentEvent, DocumentVersion, OwnDocument } from './own-document.ts'
import {
  byId,
  id,
  moment,
  nothing,
  pageOf,
  pageQuery,
  searchedText,
  text,
  whole,
} from './values.ts'

/** What is reviewed: a document, or a new version of its file. */
export const REVIEWED = ['document', 'version'] as const

/** A document that waits for review, and since when. */
export const WaitingDocument = s.assign(
  OwnDocument,
  s.type({ what: s.enums(REVIEWED), since: moment() }),
)
export type WaitingDocument = s.Infer<typeof WaitingDocument>

/** What waits for review, oldest first. */
export const listReview = defineCall('GET /office/admin/review', 'admin', {
  query: s.object({
    ...pageQuery,
    what: s.optional(s.enums(REVIEWED)),
    q: s.optional(searchedText()),
  }),
  result: pageOf(WaitingDocument),
})

/** An event in a document's history, with the name of the person who caused it. */
export const NamedEvent = s.assign(DocumentEvent, s.type({ who: s.string() }))
export type NamedEvent = s.Infer<typeof NamedEvent>

/** Another document whose file has the same bytes. */
export const SameFile = s.type({ id: id(), title: s.string(), teacher: s.string() })
export type SameFile = s.Infer<typeof SameFile>

/** A document with everything that a reviewer needs to decide. */
export const ReviewPage = s.type({
  document: OwnDocument,
  /** What waits for review; null if nothing does. */
  what: s.nullable(s.enums(REVIEWED)),
  since: s.nullable(moment()),
  versions: s.array(DocumentVersion),
  /**
   * The numbers of the versions to compare: the one that buyers have, and the one that they would
   * get.
   */
  current: s.nullable(s.number()),
  proposed: s.nullable(s.number()),
  history: s.array(NamedEvent),
  /** Other documents with the same file; the file itself was checked when it arrived. */
  sameFile: s.array(SameFile),
  /** The paper of which it is the correction, with the version of its file that buyers get. */
  paper: s.nullable(
    s.assign(OfferedPaper, s.type({ version: s.nullable(s.number()), pageCount: s.number() })),
  ),
})
export type ReviewPage = s.Infer<typeof ReviewPage>

export const getReview = defineCall('GET /office/admin/review/:id', 'admin', {
  params: byId,
  result: ReviewPage,
  errors: ['document_not_found'],
})

/** A page (from 1) of the reviewed file, and the page of another document that is most like it. */
const AlikePages = s.type({ page: s.number(), other: s.number(), percent: s.number() })

/** Another document with a file like the newest one of the reviewed document. */
export const AlikeDocument = s.type({
  id: id(),
  title: s.string(),
  teacher: s.string(),
  /** The version of its file that is alike. */
  version: s.number(),
  /** How much of the reviewed file is like it. */
  percent: s.number(),
  pages: s.array(AlikePages),
})
export type AlikeDocument = s.Infer<typeof AlikeDocument>

/** What was not compared, each as a number. */
export const NotCompared = s.type({
  /** Pages of the reviewed file: those after the most that are compared, or that cannot be read. */
  pages: s.number(),
  /** Other documents of which only the first pages were compared. */
  longDocuments: s.number(),
  /** Other documents that may be alike: there are too many. */
  documents: s.number(),
  /** Other files whose pages are not read yet. */
  waiting: s.number(),
  /** Whether there are more documents than those, which were not even counted. */
  hasMore: s.boolean(),
})
export type NotCompared = s.Infer<typeof NotCompared>

export const Likeness = s.type({
  /** Whether all pages of the file were compared; else they will be in a moment. */
  isCompared: s.boolean(),
  /** Of other teachers, the most alike first. */
  documents: s.array(AlikeDocument),
  /** Absent: everything was compared. */
  notCompared: s.optional(NotCompared),
})
export type Likeness = s.Infer<typeof Likeness>

/** The documents of other teachers with the pages most like those of the newest file. */
export const listAlike = defineCall('GET /office/admin/review/:id/alike', 'admin', {
  params: byId,
  result: Likeness,
  errors: ['document_not_found'],
})

/**
 * The text of a relative path, signed and valid for some minutes, below which lie the pictures of a
 * version's pages.
 */
export const previewReview = defineCall('GET /office/admin/review/:id/preview', 'admin', {
  params: byId,
  query: s.object({ version: whole(1, 100_000) }),
  answers: 'text',
  result: nothing(),
  errors: ['document_not_found'],
})

/** The revision that was reviewed; a decision about another one is refused. */
const looked = { revision: whole(0, 999_999_999) }

/** What to review after a decision: the oldest document, and how many wait. */
const Next = s.type({ next: s.nullable(id()), left: s.number() })
export type Next = s.Infer<typeof Next>

const ERRORS = [
  'document_not_found',
  'done_before',
  'review_changed',
  'review_not_waiting',
] as const

/** Publishes the document, or gives buyers the new version of its file. */
export const acceptReview = defineCall('POST /office/admin/review/:id/accept', 'admin', {
  params: byId,
  body: s.object(looked),
  result: Next,
  errors: [...ERRORS, 'document_incomplete'],
})

/**
 * Returns the document, or the new version, to its teacher, with a reason and the field concerned.
 */
export const returnReview = defineCall('POST /office/admin/review/:id/return', 'admin', {
  params: byId,
  body: s.object({
    ...looked,
    reason: text(1, REVIEW_REASON_MAX_LENGTH),
    field: s.nullable(s.enums(FIELD_NAMES)),
  }),
  result: Next,
  errors: ERRORS,
})
