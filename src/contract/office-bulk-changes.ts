import * as s from 'superstruct'
import { BULK_CHANGES, BULK_OBSTACLES, BULK_STATES } from '../rules/bulk-change.ts'
import { DOCUMENT_STATES } from '../rules/document-life.ts'
import { STAFF_REASON_MAX_LENGTH } from '../rules/ledger.ts'
import { PAGE_SIZE_MAX } from '../rules/pager.ts'
import { defineCall } from './call.ts'
import { OfficeDocumentFilters } from './office-all-documents.ts'
import { DocumentDetails } from './references.ts'
import { byId, day, dinarAmount, id, moment, text } from './values.ts'

/** A change of many documents, with its parameters. */
export const BulkChangeForm = s.object({
  kind: s.enums(BULK_CHANGES),
  /** `price`: the new price. */
  price: s.optional(dinarAmount()),
  /**
   * `percent`: the percentage added to the price, negative to reduce it; `discount`: the percentage
   * taken off.
   */
  percent: s.optional(s.integer()),
  /** `discount`: its first day in Tunisia; by default it begins at once. */
  from: s.optional(day()),
  /** `discount`: its last day (inclusive). */
  until: s.optional(day()),
})
export type BulkChangeForm = s.Infer<typeof BulkChangeForm>

/** Which documents to change: either the listed ones, or all that match the filters. */
export const ChosenDocuments = s.object({
  ids: s.optional(s.size(s.array(id()), 1, PAGE_SIZE_MAX)),
  filters: s.optional(OfficeDocumentFilters),
})
export type ChosenDocuments = s.Infer<typeof ChosenDocuments>

/**
 * One side of a change, before or after: the price that a buyer pays and the teacher's share of it.
 */
const Side = s.type({
  state: s.enums(DOCUMENT_STATES),
  price: s.nullable(dinarAmount()),
  /** The price with the discount, even if that is still to begin. */
  finalPrice: s.nullable(dinarAmount()),
  earns: s.nullable(dinarAmount()),
})

const Named = s.type({ id: id(), title: s.string(), teacher: s.string() })

export const ChangedRow = s.type({
  document: Named,
  before: Side,
  after: Side,
  /** The facts that are added; null for any other change. */
  facts: s.nullable(DocumentDetails),
})
export type ChangedRow = s.Infer<typeof ChangedRow>

const shared = {
  id: id(),
  kind: s.enums(BULK_CHANGES),
  price: s.nullable(dinarAmount()),
  percent: s.nullable(s.number()),
  /** For a discount: when it begins and ends. */
  from: s.nullable(moment()),
  until: s.nullable(moment()),
  by: s.string(),
  at: moment(),
  /** The change that this one undoes. */
  undoes: s.nullable(id()),
  /** The change that has undone this one. */
  undoneBy: s.nullable(id()),
  /** How many documents have changed. */
  changed: s.number(),
}

/** A change of many documents: as a preview, in progress, or done. */
export const BulkChangeView = s.type({
  ...shared,
  state: s.enums(BULK_STATES),
  reason: s.nullable(s.string()),
  /** How many documents were chosen, and how many would change or were to change. */
  chosen: s.number(),
  changing: s.number(),
  /** The number of documents that stay as they are, by reason. */
  kept: s.array(s.type({ code: s.enums(BULK_OBSTACLES), count: s.number() })),
  /** The first documents that change, and the first that do not. */
  rows: s.array(ChangedRow),
  keptRows: s.array(s.type({ document: Named, code: s.enums(BULK_OBSTACLES) })),
})
export type BulkChangeView = s.Infer<typeof BulkChangeView>

/** The same in a list. */
export const ListedBulkChange = s.type({ ...shared, reason: s.string(), isDone: s.boolean() })
export type ListedBulkChange = s.Infer<typeof ListedBulkChange>

/**
 * Computes what a change would do without changing anything; the preview can be applied for an
 * hour.
 */
export const previewBulkChange = defineCall('POST /office/admin/bulk-changes', 'admin', {
  body: s.object({ chosen: ChosenDocuments, change: BulkChangeForm }),
  result: BulkChangeView,
  errors: ['too_many_documents', 'no_documents'],
})

/** The newest applied changes. */
export const listBulkChanges = defineCall('GET /office/admin/bulk-changes', 'admin', {
  result: s.array(ListedBulkChange),
})

const body = s.object({ reason: text(1, STAFF_REASON_MAX_LENGTH) })

export const getBulkChange = defineCall('GET /office/admin/bulk-changes/:id', 'admin', {
  params: byId,
  result: BulkChangeView,
  errors: ['bulk_change_not_found'],
})

/**
 * Applies the caller's own preview. A document that has changed since then is not changed, and is
 * reported. A repeated call continues where the first one stopped, and returns the same.
 */
export const applyBulkChange = defineCall('POST /office/admin/bulk-changes/:id/apply', 'admin', {
  params: byId,
  body,
  result: BulkChangeView,
  errors: ['bulk_change_not_found', 'preview_expired'],
})

/**
 * Computes what the titles of the teacher's own papers say of facts that these lack: of the listed ones, or, with null,
 * of all. It takes the place of the teacher's former preview, and can be applied for an hour.
 */
export const previewOwnFacts = defineCall('POST /office/stated-facts', 'teacher', {
  body: s.object({ ids: s.nullable(s.size(s.array(id()), 1, PAGE_SIZE_MAX)) }),
  result: BulkChangeView,
  errors: ['no_documents'],
})

/** The newest applied changes of the teacher's own. */
export const listOwnFactChanges = defineCall('GET /office/stated-facts', 'teacher', {
  result: s.array(ListedBulkChange),
})

/** Adds the facts of the teacher's own preview, as `applyBulkChange` does. */
export const applyOwnFacts = defineCall('POST /office/stated-facts/:id/apply', 'teacher', {
  params: byId,
  result: BulkChangeView,
  errors: ['bulk_change_not_found', 'preview_expired'],
})

/** Undoes the teacher's own change, as `undoBulkChange` does. */
export const undoOwnFacts = defineCall('POST /office/stated-facts/:id/undo', 'teacher', {
  params: byId,
  result: BulkChangeView,
  errors: ['bulk_change_not_found', 'bulk_change_not_done', 'done_before'],
})

/** Restores the documents' values from before a change, unless they have changed again since. */
export const undoBulkChange = defineCall('POST /office/admin/bulk-changes/:id/undo', 'admin', {
  params: byId,
  body,
  result: BulkChangeView,
  errors: ['bulk_change_not_found', 'bulk_change_not_done', 'done_before'],
})
