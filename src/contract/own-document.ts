import * as s from 'superstruct'
import { FIELD_NAMES } from '../rules/document-fields.ts'
import { DOCUMENT_ACTIONS, DOCUMENT_STATES, VERSION_STATES } from '../rules/document-life.ts'
import { AUDIENCES } from '../rules/price-bands.ts'
import { OfferedPaper } from './office-corrections.ts'
import { CoverMapping, DocumentDetails, Listed, Named, SchoolClass } from './references.ts'
import { dinarAmount, id, moment } from './values.ts'

/**
 * The fields that prevent a document from being published, with the rules that they break; empty if
 * it is complete.
 */
const Missing = s.array(
  s.type({ field: s.enums(FIELD_NAMES), reason: s.enums(['required', 'min', 'max']) }),
)

/**
 * Why a document, or a new version of its file, was returned; `field` if the reason concerns one.
 */
export const Returned = s.type({
  reason: s.string(),
  field: s.nullable(s.enums(FIELD_NAMES)),
  at: moment(),
})
export type Returned = s.Infer<typeof Returned>

/**
 * A document as its teacher sees it, in any state; missing values are null. The names are those of
 * `Document`, so that cards and pages can show it as buyers will see it. Prices in dinars.
 */
export const OwnDocument = s.type({
  id: id(),
  state: s.enums(DOCUMENT_STATES),
  /** Raised by every change; `saveOwnDocument` names the revision that it replaces. */
  revision: s.number(),
  title: s.string(),
  description: s.string(),
  price: s.nullable(dinarAmount()),
  priceDiscount: s.nullable(dinarAmount()),
  categorie: s.nullable(Named),
  matiere: s.nullable(Named),
  classe: s.nullable(SchoolClass),
  type: s.nullable(s.enums(AUDIENCES)),
  ...DocumentDetails.schema,
  /** Those of its class and subject, in their order. */
  chapters: s.array(Named),
  teacher: s.type({ id: id(), name: s.string() }),
  coverPath: s.nullable(s.string()),
  livrePath: s.nullable(s.string()),
  coverMapping: s.nullable(CoverMapping),
  /** The type of the file that buyers get, or would get. */
  fileType: s.nullable(s.string()),
  pageCount: s.nullable(s.number()),
  /** The pages (from 1) that its teacher lets everyone view; null: the first ones. */
  samplePages: s.nullable(s.array(s.number())),
  rating: s.number(),
  ratingCount: s.number(),
  salesCount: s.number(),
  createdAt: moment(),
  changedAt: moment(),
  /** When it was first for sale; null for never. */
  firstPublishedAt: s.nullable(moment()),
  missing: Missing,
  /** The last return of the document or of a version, until the next submission. */
  returned: s.nullable(Returned),
  /** The number of the version that waits for review while buyers get an older one. */
  waitingVersion: s.nullable(s.number()),
  /** Whether the shop withdrew it from sale, so that its teacher can only submit it again. */
  isTakenDown: s.boolean(),
  /** Whether there are reports about it that the shop looks into. */
  isReported: s.boolean(),
})
export type OwnDocument = s.Infer<typeof OwnDocument>

/** A version of a document's file. */
export const DocumentVersion = s.type({
  /** From 1. */
  number: s.number(),
  state: s.enums(VERSION_STATES),
  /** The changes, in the teacher's words. */
  note: s.string(),
  pageCount: s.nullable(s.number()),
  /** The size in bytes; null if the file is no longer kept. */
  size: s.nullable(s.number()),
  createdAt: moment(),
  decidedAt: s.nullable(moment()),
  reason: s.nullable(s.string()),
})
export type DocumentVersion = s.Infer<typeof DocumentVersion>

/** An event in a document's history. */
export const DocumentEvent = s.type({
  at: moment(),
  action: s.enums(DOCUMENT_ACTIONS),
  by: s.enums(['teacher', 'shop']),
  reason: s.nullable(s.string()),
  field: s.nullable(s.enums(FIELD_NAMES)),
  version: s.nullable(s.number()),
  /**
   * The old and the new price, or discounted price (null: none); for a timed discount, its period.
   */
  amounts: s.nullable(
    s.type({
      before: s.nullable(dinarAmount()),
      after: s.nullable(dinarAmount()),
      from: s.nullable(moment()),
      until: s.nullable(moment()),
    }),
  ),
})
export type DocumentEvent = s.Infer<typeof DocumentEvent>

/** A document with its versions and its history, newest first. */
export const OwnDocumentPage = s.type({
  document: OwnDocument,
  /** The paper of which it is the correction. */
  paper: s.nullable(OfferedPaper),
  /** How many accounts wait for its correction. */
  waiting: s.number(),
  /** The kinds of papers that administrators have added, as `listKinds` has them. */
  kinds: s.array(Listed),
  versions: s.array(DocumentVersion),
  history: s.array(DocumentEvent),
})
export type OwnDocumentPage = s.Infer<typeof OwnDocumentPage>
