import { array, boolean, enums, type Infer, nullable, number, string, type } from 'superstruct'
import { FIELD_NAMES } from '../rules/document-fields.ts'
import { DOCUMENT_ACTIONS, DOCUMENT_STATES, VERSION_STATES } from '../rules/document-life.ts'
import { AUDIENCES } from '../rules/price-bands.ts'
import { CoverMapping, DocumentDetails, Named, SchoolClass } from './references.ts'
import { dinarAmount, id, moment } from './values.ts'

/**
 * The fields that prevent a document from being published, with the rules that they break; empty if
 * it is complete.
 */
const Missing = array(
  type({ field: enums(FIELD_NAMES), reason: enums(['required', 'min', 'max']) }),
)

/**
 * Why a document, or a new version of its file, was returned; `field` if the reason concerns one.
 */
export const Returned = type({
  reason: string(),
  field: nullable(enums(FIELD_NAMES)),
  at: moment(),
})
export type Returned = Infer<typeof Returned>

/**
 * A document as its teacher sees it, in any state; missing values are null. The names are those of
 * `Document`, so that cards and pages can show it as buyers will see it. Prices in dinars.
 */
export const OwnDocument = type({
  id: id(),
  state: enums(DOCUMENT_STATES),
  /** Raised by every change; `saveOwnDocument` names the revision that it replaces. */
  revision: number(),
  title: string(),
  description: string(),
  price: nullable(dinarAmount()),
  priceDiscount: nullable(dinarAmount()),
  categorie: nullable(Named),
  matiere: nullable(Named),
  classe: nullable(SchoolClass),
  type: nullable(enums(AUDIENCES)),
  ...DocumentDetails.schema,
  teacher: type({ id: id(), name: string() }),
  coverPath: nullable(string()),
  livrePath: nullable(string()),
  coverMapping: nullable(CoverMapping),
  /** The type of the file that buyers get, or would get. */
  fileType: nullable(string()),
  pageCount: nullable(number()),
  /** The pages (from 1) that its teacher lets everyone view; null: the first ones. */
  samplePages: nullable(array(number())),
  rating: number(),
  ratingCount: number(),
  salesCount: number(),
  createdAt: moment(),
  changedAt: moment(),
  /** When it was first for sale; null for never. */
  firstPublishedAt: nullable(moment()),
  missing: Missing,
  /** The last return of the document or of a version, until the next submission. */
  returned: nullable(Returned),
  /** The number of the version that waits for review while buyers get an older one. */
  waitingVersion: nullable(number()),
  /** Whether the shop withdrew it from sale, so that its teacher can only submit it again. */
  isTakenDown: boolean(),
})
export type OwnDocument = Infer<typeof OwnDocument>

/** A version of a document's file. */
export const DocumentVersion = type({
  /** From 1. */
  number: number(),
  state: enums(VERSION_STATES),
  /** The changes, in the teacher's words. */
  note: string(),
  pageCount: nullable(number()),
  /** The size in bytes; null if the file is no longer kept. */
  size: nullable(number()),
  createdAt: moment(),
  decidedAt: nullable(moment()),
  reason: nullable(string()),
})
export type DocumentVersion = Infer<typeof DocumentVersion>

/** An event in a document's history. */
export const DocumentEvent = type({
  at: moment(),
  action: enums(DOCUMENT_ACTIONS),
  by: enums(['teacher', 'shop']),
  reason: nullable(string()),
  field: nullable(enums(FIELD_NAMES)),
  version: nullable(number()),
  /**
   * The old and the new price, or discounted price (null: none); for a timed discount, its period.
   */
  amounts: nullable(
    type({
      before: nullable(dinarAmount()),
      after: nullable(dinarAmount()),
      from: nullable(moment()),
      until: nullable(moment()),
    }),
  ),
})
export type DocumentEvent = Infer<typeof DocumentEvent>

/** A document with its versions and its history, newest first. */
export const OwnDocumentPage = type({
  document: OwnDocument,
  versions: array(DocumentVersion),
  history: array(DocumentEvent),
})
export type OwnDocumentPage = Infer<typeof OwnDocumentPage>
