import * as s from 'superstruct'
import {
  DOCUMENT_CHAPTERS_MAX,
  DOCUMENT_DESCRIPTION_MAX_LENGTH,
  TITLE_MAX_LENGTH,
} from '../rules/document-fields.ts'
import {
  DOCUMENT_STATES,
  REVIEW_REASON_MAX_LENGTH,
  VERSION_NOTE_MAX_LENGTH,
} from '../rules/document-life.ts'
import { AUDIENCES } from '../rules/price-bands.ts'
import { defineCall } from './call.ts'
import { OwnDocument, OwnDocumentPage } from './own-document.ts'
import { DocumentDetails, SomeDetails } from './references.ts'
import {
  byId,
  dinarAmount,
  id,
  nothing,
  pageOf,
  pageQuery,
  searchedText,
  text,
  uploadId,
  whole,
} from './values.ts'

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

/** The page, sort order and filters of a list; `page` counts from 0. */
export const OwnDocumentFilters = s.object({
  ...pageQuery,
  sort: s.optional(s.enums(OWN_DOCUMENT_SORTS)),
  q: s.optional(searchedText()),
  state: s.optional(s.enums(DOCUMENT_STATES)),
})
export type OwnDocumentFilters = s.Infer<typeof OwnDocumentFilters>

/** The teacher's own documents; by default the most recently changed first. */
export const listOwnDocuments = defineCall('GET /office/documents', 'teacher', {
  query: OwnDocumentFilters,
  /** `states`: how many documents are in each state, whatever the filters. */
  result: s.assign(
    pageOf(OwnDocument),
    s.type({ states: s.record(s.enums(DOCUMENT_STATES), s.number()) }),
  ),
})

/**
 * All fields of a document that its teacher writes; missing values are null. Prices in dinars.
 * Details that are left out stay as they are.
 */
export const DocumentText = s.object({
  title: text(0, TITLE_MAX_LENGTH),
  description: text(0, DOCUMENT_DESCRIPTION_MAX_LENGTH),
  price: s.nullable(dinarAmount()),
  priceDiscount: s.nullable(dinarAmount()),
  matiereId: s.nullable(id()),
  niveauId: s.nullable(id()),
  categoryId: s.nullable(id()),
  type: s.nullable(s.enums(AUDIENCES)),
  ...SomeDetails.schema,
  /** Omitted: unchanged. Those that are none of the class and subject, or hidden, are left out. */
  chapterIds: s.optional(s.size(s.array(id()), 0, DOCUMENT_CHAPTERS_MAX)),
  /** One of the shop's covers; null: the cover of its subject; omitted: unchanged. */
  coverMappingId: s.optional(s.nullable(id())),
})
export type DocumentText = s.Infer<typeof DocumentText>

/**
 * The facts that a title states, and of an own document with a file those that its first page states and the title
 * does not, for a person to accept; null where they are silent, unsure or disagree.
 */
export const proposeFacts = defineCall('GET /office/proposed-facts', 'teacher', {
  query: s.object({
    written: s.optional(text(1, TITLE_MAX_LENGTH)),
    document: s.optional(id()),
  }),
  result: s.type({
    matiereId: s.nullable(id()),
    niveauId: s.nullable(id()),
    categoryId: s.nullable(id()),
    ...DocumentDetails.schema,
  }),
  errors: ['document_not_found'],
})

export const getOwnDocument = defineCall('GET /office/documents/:id', 'teacher', {
  params: byId,
  result: OwnDocumentPage,
  errors: ['document_not_found'],
})

/** A draft, and the documents most like it: the caller's own, and those for sale of others. */
export const AlikeDraft = s.type({
  document: id(),
  alike: s.array(
    s.type({
      id: id(),
      title: s.string(),
      /** Null: the caller's own. */
      teacher: s.nullable(s.string()),
      /** How much of the draft is like it; 100 only where the files are the same. */
      percent: s.number(),
    }),
  ),
})
export type AlikeDraft = s.Infer<typeof AlikeDraft>

export const AlikeDrafts = s.type({
  /** Those that are like something. */
  drafts: s.array(AlikeDraft),
  /** How many drafts with a file are not compared yet: ask again in a moment. */
  waiting: s.number(),
})
export type AlikeDrafts = s.Infer<typeof AlikeDrafts>

/** What of the caller's drafts is like another document. */
export const listAlikeDrafts = defineCall('GET /office/documents/alike', 'teacher', {
  result: AlikeDrafts,
})

/** Creates an empty draft, once for each `Idempotency-Key`. */
export const createOwnDocument = defineCall('POST /office/documents', 'teacher', {
  idempotent: true,
  result: OwnDocument,
  errors: ['too_many_drafts', 'unapproved_full'],
})

/** Likewise the draft of the correction of a paper, with the facts that both share. */
export const createCorrection = defineCall('POST /office/papers/:id/corrections', 'teacher', {
  idempotent: true,
  params: byId,
  result: OwnDocument,
  errors: ['too_many_drafts', 'unapproved_full', 'document_not_found', 'corrections_full'],
})

/**
 * Saves all fields of a document. `revision` is the one that was read: if the document has changed
 * since, in another tab or by a new file, the answer is 409 `document_changed` and nothing is
 * saved. Saving the same text again is not a change. A published document must stay complete
 * (`document_incomplete`); one under review has to be withdrawn first.
 */
export const saveOwnDocument = defineCall('PUT /office/documents/:id', 'teacher', {
  params: byId,
  body: s.object({ revision: whole(0, 999_999_999), ...DocumentText.schema }),
  result: OwnDocument,
  errors: [
    'document_not_found',
    'document_changed',
    'document_incomplete',
    'document_under_review',
    'corrections_full',
  ],
})

/** Deletes a draft that was never published. */
export const deleteOwnDocument = defineCall('DELETE /office/documents/:id', 'teacher', {
  params: byId,
  result: nothing(),
  errors: ['document_not_found', 'document_not_deletable', 'document_under_review'],
})

/**
 * Sets a checked upload as the document's file: at once for a draft; for a document that was
 * published, as a version that waits for review, while buyers keep getting the accepted one. The
 * same bytes as the accepted one are 409 `file_unchanged`, and a file without the page on which the correction is said to begin
 * 409 `correction_not_in_file`.
 */
export const setDocumentFile = defineCall('PUT /office/documents/:id/file', 'teacher', {
  params: byId,
  body: s.object({
    uploadId: uploadId(),
    /** What changed, in one line. */
    note: s.optional(text(0, VERSION_NOTE_MAX_LENGTH)),
  }),
  result: OwnDocument,
  errors: [
    'document_not_found',
    'upload_not_found',
    'upload_incomplete',
    'document_under_review',
    'file_unchanged',
    'correction_not_in_file',
    'too_many_submissions',
  ],
})

/** Replaces the note of the newest version of the file, while that is not decided about. */
export const setVersionNote = defineCall(
  'PUT /office/documents/:id/versions/:number/note',
  'teacher',
  {
    params: s.object({ id: id(), number: whole(1, 100_000) }),
    body: s.object({ note: text(0, VERSION_NOTE_MAX_LENGTH) }),
    result: OwnDocument,
    errors: ['document_not_found', 'document_under_review', 'document_state_changed'],
  },
)

/** Sets a checked picture as the document's cover; null: the cover that the shop draws. */
export const setDocumentCover = defineCall('PUT /office/documents/:id/cover', 'teacher', {
  params: byId,
  body: s.object({ uploadId: s.nullable(uploadId()) }),
  result: OwnDocument,
  errors: ['document_not_found', 'upload_not_found', 'upload_incomplete', 'document_under_review'],
})

/** Submits a complete document for review. */
export const submitOwnDocument = defineCall('POST /office/documents/:id/submit', 'teacher', {
  params: byId,
  result: OwnDocument,
  errors: [
    'document_not_found',
    'document_incomplete',
    'correction_not_in_file',
    'document_state_changed',
    'too_many_submissions',
  ],
})

/** Withdraws the document, or the new version of its file, from review. */
export const withdrawOwnDocument = defineCall('POST /office/documents/:id/withdraw', 'teacher', {
  params: byId,
  result: OwnDocument,
  errors: ['document_not_found', 'document_state_changed'],
})

/** Withdraws a document from sale; its buyers keep it. */
export const unpublishOwnDocument = defineCall('POST /office/documents/:id/unpublish', 'teacher', {
  params: byId,
  body: s.object({ reason: s.nullable(text(0, REVIEW_REASON_MAX_LENGTH)) }),
  result: OwnDocument,
  errors: ['document_not_found', 'document_state_changed'],
})

/** Publishes a document again that its teacher has withdrawn from sale, without another review. */
export const publishOwnDocument = defineCall('POST /office/documents/:id/publish', 'teacher', {
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
 * The text of a relative path for a frame, signed and valid for some minutes, which shows the pages
 * of the document's file: of the version with this number, or else of the newest version whose file
 * is kept.
 */
export const previewOwnFile = defineCall('GET /office/documents/:id/preview', 'teacher', {
  params: byId,
  query: s.object({ version: s.optional(whole(1, 100_000)) }),
  answers: 'text',
  result: nothing(),
  errors: ['document_not_found', 'file_missing'],
})
