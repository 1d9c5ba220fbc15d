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
  trimmed,
  type,
} from 'superstruct'
import {
  DOCUMENT_ACTIONS,
  DOCUMENT_DESCRIPTION_MAX_LENGTH,
  DOCUMENT_FIELDS,
  DOCUMENT_STATES,
  REVIEW_REASON_MAX_LENGTH,
  TITLE_MAX_LENGTH,
  VERSION_NOTE_MAX_LENGTH,
  VERSION_STATES,
} from '../rules/document-life.ts'
import { PAGE_NUMBER_MAX, PAGE_SIZE_MAX } from '../rules/pager.ts'
import { AUDIENCES } from '../rules/price-bands.ts'
import { SEARCH_TEXT_MAX_LENGTH } from '../rules/suggestions.ts'
import { defineCall } from './call.ts'
import { CoverMapping, Named, SchoolYear } from './catalogue.ts'
import { uploadId } from './uploads.ts'
import { dinarAmount, id, moment, nothing, text, whole } from './values.ts'

/** What keeps a document from being published, by the rule it breaks; empty: it is complete. */
export const Missing = array(
  type({ field: enums(DOCUMENT_FIELDS), reason: enums(['required', 'min', 'max']) }),
)

/** Why a document, or a new version of its file, was returned; `field` where it is about one. */
export const Returned = type({
  reason: string(),
  field: nullable(enums(DOCUMENT_FIELDS)),
  at: moment(),
})

/**
 * A document as its teacher sees it, in any state. What is not said yet is null. The names are those
 * of `Document`, so that cards and pages can show it as buyers will see it. Prices in dinars.
 */
export const OwnDocument = type({
  id: id(),
  state: enums(DOCUMENT_STATES),
  /** Raised by every change; `saveOwnDocument` names the one that it changes. */
  revision: number(),
  title: string(),
  description: string(),
  price: nullable(dinarAmount()),
  priceDiscount: nullable(dinarAmount()),
  categorie: nullable(Named),
  matiere: nullable(Named),
  classe: nullable(SchoolYear),
  type: nullable(enums(AUDIENCES)),
  teacher: type({ id: id(), name: string() }),
  coverPath: nullable(string()),
  livrePath: nullable(string()),
  coverMapping: nullable(CoverMapping),
  /** Of the file that buyers get, or would get. */
  fileType: nullable(string()),
  pageCount: nullable(number()),
  rating: number(),
  ratingCount: number(),
  salesCount: number(),
  createdAt: moment(),
  changedAt: moment(),
  /** When it was first for sale; null: never. */
  firstPublishedAt: nullable(moment()),
  missing: Missing,
  /** The last return, of the document or of a version, until it is answered by a submission. */
  returned: nullable(Returned),
  /** The number of the version that waits for review while buyers get an older one. */
  waitingVersion: nullable(number()),
  /** The shop took it from sale: it is submitted again, not published by its teacher. */
  isTakenDown: boolean(),
})
export type OwnDocument = Infer<typeof OwnDocument>

/** A version of a document's file. */
export const DocumentVersion = type({
  /** From 1. */
  number: number(),
  state: enums(VERSION_STATES),
  /** What changed, in its teacher's words. */
  note: string(),
  pageCount: nullable(number()),
  /** Bytes; null where the file is not kept any more. */
  size: nullable(number()),
  createdAt: moment(),
  decidedAt: nullable(moment()),
  reason: nullable(string()),
})
export type DocumentVersion = Infer<typeof DocumentVersion>

/** One change of a document's life. */
export const DocumentEvent = type({
  at: moment(),
  action: enums(DOCUMENT_ACTIONS),
  by: enums(['teacher', 'shop']),
  reason: nullable(string()),
  field: nullable(enums(DOCUMENT_FIELDS)),
  version: nullable(number()),
})
export type DocumentEvent = Infer<typeof DocumentEvent>

/** A document with its versions and its history, newest first. */
export const OwnDocumentPage = type({
  document: OwnDocument,
  versions: array(DocumentVersion),
  history: array(DocumentEvent),
})
export type OwnDocumentPage = Infer<typeof OwnDocumentPage>

export const OWN_DOCUMENT_SORTS = [
  'changed',
  '-changed',
  'title',
  '-title',
  'price',
  '-price',
  'sales',
  '-sales',
  'rating',
  '-rating',
] as const

/** A list's page, sorting and filters; `page` counts from 0. */
export const OwnDocumentFilters = object({
  page: optional(whole(0, PAGE_NUMBER_MAX)),
  size: optional(whole(1, PAGE_SIZE_MAX)),
  sort: optional(enums(OWN_DOCUMENT_SORTS)),
  q: optional(size(trimmed(string()), 0, SEARCH_TEXT_MAX_LENGTH)),
  state: optional(enums(DOCUMENT_STATES)),
})
export type OwnDocumentFilters = Infer<typeof OwnDocumentFilters>

/** The teacher's own documents; the last changed first unless `sort` says otherwise. */
export const listOwnDocuments = defineCall({
  method: 'GET',
  path: '/office/documents',
  caller: 'teacher',
  query: OwnDocumentFilters,
  result: type({
    content: array(OwnDocument),
    totalElements: number(),
    totalPages: number(),
    number: number(),
    size: number(),
    /** How many there are in each state, whatever the filters. */
    states: record(enums(DOCUMENT_STATES), number()),
  }),
})

const byId = object({ id: id() })

/** What a teacher writes of a document, whole: null is what is not said yet. Prices in dinars. */
export const DocumentText = object({
  title: text(0, TITLE_MAX_LENGTH),
  description: text(0, DOCUMENT_DESCRIPTION_MAX_LENGTH),
  price: nullable(dinarAmount()),
  priceDiscount: nullable(dinarAmount()),
  matiereId: nullable(id()),
  niveauId: nullable(id()),
  categoryId: nullable(id()),
  type: nullable(enums(AUDIENCES)),
})
export type DocumentText = Infer<typeof DocumentText>

export const getOwnDocument = defineCall({
  method: 'GET',
  path: '/office/documents/:id',
  caller: 'teacher',
  params: byId,
  result: OwnDocumentPage,
  errors: ['document_not_found'],
})

/** Begins an empty draft; the same `Idempotency-Key` begins it once. */
export const createOwnDocument = defineCall({
  method: 'POST',
  path: '/office/documents',
  caller: 'teacher',
  idempotent: true,
  body: object({}),
  result: OwnDocument,
  errors: ['too_many_drafts'],
})

/**
 * Saves the whole text. `revision` is the one that was read: where the document has changed since, in
 * another tab, 409 `document_changed` and nothing is saved; the same text again is no change. A
 * document that is published must stay complete (`document_incomplete`); one under review is withdrawn first.
 */
export const saveOwnDocument = defineCall({
  method: 'PUT',
  path: '/office/documents/:id',
  caller: 'teacher',
  params: byId,
  body: object({ revision: whole(0, 999_999_999), ...DocumentText.schema }),
  result: OwnDocument,
  errors: [
    'document_not_found',
    'document_changed',
    'document_incomplete',
    'document_under_review',
  ],
})

/** Deletes a draft that was never published. */
export const deleteOwnDocument = defineCall({
  method: 'DELETE',
  path: '/office/documents/:id',
  caller: 'teacher',
  params: byId,
  result: nothing(),
  errors: ['document_not_found', 'document_not_deletable', 'document_under_review'],
})

/**
 * Gives the document a checked upload as its file. A draft has it at once; once published, it is a
 * version that waits for review while buyers keep getting the accepted one.
 */
export const setDocumentFile = defineCall({
  method: 'PUT',
  path: '/office/documents/:id/file',
  caller: 'teacher',
  params: byId,
  body: object({
    uploadId: uploadId(),
    /** What changed, in a line. */
    note: optional(text(0, VERSION_NOTE_MAX_LENGTH)),
  }),
  result: OwnDocument,
  errors: [
    'document_not_found',
    'upload_not_found',
    'upload_incomplete',
    'document_under_review',
    'too_many_submissions',
  ],
})

/** Gives the document a checked picture as its cover; null: the cover that the shop draws. */
export const setDocumentCover = defineCall({
  method: 'PUT',
  path: '/office/documents/:id/cover',
  caller: 'teacher',
  params: byId,
  body: object({ uploadId: nullable(uploadId()) }),
  result: OwnDocument,
  errors: [
    'document_not_found',
    'upload_not_found',
    'upload_incomplete',
    'document_under_review',
  ],
})

/** Submits a complete document for review. */
export const submitOwnDocument = defineCall({
  method: 'POST',
  path: '/office/documents/:id/submit',
  caller: 'teacher',
  params: byId,
  result: OwnDocument,
  errors: [
    'document_not_found',
    'document_incomplete',
    'document_state_changed',
    'too_many_submissions',
  ],
})

/** Takes back what waits for review: the document, or the new version of its file. */
export const withdrawOwnDocument = defineCall({
  method: 'POST',
  path: '/office/documents/:id/withdraw',
  caller: 'teacher',
  params: byId,
  result: OwnDocument,
  errors: ['document_not_found', 'document_state_changed'],
})

/** Takes a document from the shop; who bought it keeps it. */
export const unpublishOwnDocument = defineCall({
  method: 'POST',
  path: '/office/documents/:id/unpublish',
  caller: 'teacher',
  params: byId,
  body: object({ reason: optional(text(0, REVIEW_REASON_MAX_LENGTH)) }),
  result: OwnDocument,
  errors: ['document_not_found', 'document_state_changed'],
})

/** Puts a document that its teacher took from the shop back into it, without another review. */
export const publishOwnDocument = defineCall({
  method: 'POST',
  path: '/office/documents/:id/publish',
  caller: 'teacher',
  params: byId,
  result: OwnDocument,
  errors: [
    'document_not_found',
    'document_incomplete',
    'document_state_changed',
    'document_taken_down',
  ],
})

/**
 * The text of a relative path for a frame, signed and good for 10 minutes, which shows the pages of
 * the document's file; of a version where its number is named, else of the newest that is kept.
 */
export const previewOwnFile = defineCall({
  method: 'GET',
  path: '/office/documents/:id/preview',
  caller: 'teacher',
  params: byId,
  query: object({ version: optional(whole(1, 100_000)) }),
  answers: 'text',
  result: nothing(),
  errors: ['document_not_found', 'file_missing'],
})
