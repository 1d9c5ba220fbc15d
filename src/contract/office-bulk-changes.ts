import {
  array,
  boolean,
  enums,
  type Infer,
  integer,
  nullable,
  number,
  object,
  optional,
  size,
  string,
  type,
} from 'superstruct'
import { BULK_CHANGES, BULK_OBSTACLES, BULK_STATES } from '../rules/bulk-change.ts'
import { DOCUMENT_STATES } from '../rules/document-life.ts'
import { STAFF_REASON_MAX_LENGTH } from '../rules/ledger.ts'
import { PAGE_SIZE_MAX } from '../rules/pager.ts'
import { defineCall } from './call.ts'
import { DocumentFilters } from './office-all-documents.ts'
import { byId, day, dinarAmount, id, moment, text } from './values.ts'

/** A change of many documents, with its parameters. */
export const BulkChangeForm = object({
  kind: enums(BULK_CHANGES),
  /** `price`: the new price. */
  price: optional(dinarAmount()),
  /**
   * `percent`: the percentage added to the price, negative to reduce it; `discount`: the percentage
   * taken off.
   */
  percent: optional(integer()),
  /** `discount`: its first day in Tunisia; by default it begins at once. */
  from: optional(day()),
  /** `discount`: its last day (inclusive). */
  until: optional(day()),
})
export type BulkChangeForm = Infer<typeof BulkChangeForm>

/** Which documents to change: either the listed ones, or all that match the filters. */
export const ChosenDocuments = object({
  ids: optional(size(array(id()), 1, PAGE_SIZE_MAX)),
  filters: optional(DocumentFilters),
})
export type ChosenDocuments = Infer<typeof ChosenDocuments>

/**
 * One side of a change, before or after: the price that a buyer pays and the teacher's share of it.
 */
const Side = type({
  state: enums(DOCUMENT_STATES),
  price: nullable(dinarAmount()),
  /** The price with the discount, even if that is still to begin. */
  finalPrice: nullable(dinarAmount()),
  earns: nullable(dinarAmount()),
})

const Named = type({ id: id(), title: string(), teacher: string() })

export const ChangedRow = type({ document: Named, before: Side, after: Side })
export type ChangedRow = Infer<typeof ChangedRow>

const shared = {
  id: id(),
  kind: enums(BULK_CHANGES),
  price: nullable(dinarAmount()),
  percent: nullable(number()),
  /** For a discount: when it begins and ends. */
  from: nullable(moment()),
  until: nullable(moment()),
  by: string(),
  at: moment(),
  /** The change that this one undoes. */
  undoes: nullable(id()),
  /** The change that has undone this one. */
  undoneBy: nullable(id()),
  /** How many documents have changed. */
  changed: number(),
}

/** A change of many documents: as a preview, in progress, or done. */
export const BulkChangeView = type({
  ...shared,
  state: enums(BULK_STATES),
  reason: nullable(string()),
  /** How many documents were chosen, and how many would change or were to change. */
  chosen: number(),
  changing: number(),
  /** The number of documents that stay as they are, by reason. */
  kept: array(type({ code: enums(BULK_OBSTACLES), count: number() })),
  /** The first documents that change, and the first that do not. */
  rows: array(ChangedRow),
  keptRows: array(type({ document: Named, code: enums(BULK_OBSTACLES) })),
})
export type BulkChangeView = Infer<typeof BulkChangeView>

/** The same in a list. */
export const ListedBulkChange = type({ ...shared, reason: string(), isDone: boolean() })
export type ListedBulkChange = Infer<typeof ListedBulkChange>

/**
 * Computes what a change would do without changing anything; the preview can be applied for an
 * hour.
 */
export const previewBulkChange = defineCall('POST /office/admin/bulk-changes', 'admin', {
  body: object({ chosen: ChosenDocuments, change: BulkChangeForm }),
  result: BulkChangeView,
  errors: ['too_many_documents', 'no_documents'],
})

/** The newest applied changes. */
export const listBulkChanges = defineCall('GET /office/admin/bulk-changes', 'admin', {
  result: array(ListedBulkChange),
})

const body = object({ reason: text(1, STAFF_REASON_MAX_LENGTH) })

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

/** Restores the documents' values from before a change, unless they have changed again since. */
export const undoBulkChange = defineCall('POST /office/admin/bulk-changes/:id/undo', 'admin', {
  params: byId,
  body,
  result: BulkChangeView,
  errors: ['bulk_change_not_found', 'bulk_change_not_done', 'done_before'],
})
