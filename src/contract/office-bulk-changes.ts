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
import { BULK_CHANGES, BULK_OBSTACLES } from '../rules/bulk-change.ts'
import { DOCUMENT_STATES } from '../rules/document-life.ts'
import { PAGE_SIZE_MAX } from '../rules/pager.ts'
import { STAFF_REASON_MAX_LENGTH } from '../rules/staff-reasons.ts'
import { defineCall } from './call.ts'
import { DocumentFilters } from './office-all-documents.ts'
import { day, dinarAmount, id, moment, text } from './values.ts'

/** What is to be done to many documents, and what it needs. */
export const BulkChangeForm = object({
  kind: enums(BULK_CHANGES),
  /** `price`: the new one. */
  price: optional(dinarAmount()),
  /** `percent`: what is added, below 0 taken off; `discount`: what is taken off. */
  percent: optional(integer()),
  /** `discount`: its first day in Tunisia; left out, it begins at once. */
  from: optional(day()),
  /** `discount`: its last day, which it includes. */
  until: optional(day()),
})
export type BulkChangeForm = Infer<typeof BulkChangeForm>

/** Which documents: either those that are named, or all that pass the filters. */
export const ChosenDocuments = object({
  ids: optional(size(array(id()), 1, PAGE_SIZE_MAX)),
  filters: optional(DocumentFilters),
})
export type ChosenDocuments = Infer<typeof ChosenDocuments>

/** A document before and after a change: what a buyer pays and what of it its teacher earns. */
const Side = type({
  state: enums(DOCUMENT_STATES),
  price: nullable(dinarAmount()),
  /** With a discount, also one that is still to begin. */
  finalPrice: nullable(dinarAmount()),
  earns: nullable(dinarAmount()),
})

const Named = type({ id: id(), title: string(), teacher: string() })

export const ChangedRow = type({ document: Named, before: Side, after: Side })
export type ChangedRow = Infer<typeof ChangedRow>

/** A change of many documents: as a preview, on its way, or done. */
export const BulkChangeView = type({
  id: id(),
  kind: enums(BULK_CHANGES),
  price: nullable(dinarAmount()),
  percent: nullable(number()),
  /** Of a discount: its moments. */
  from: nullable(moment()),
  until: nullable(moment()),
  state: enums(['previewed', 'running', 'done']),
  by: string(),
  at: moment(),
  reason: nullable(string()),
  /** The change that this one takes back. */
  undoes: nullable(id()),
  /** By which it was taken back. */
  undoneBy: nullable(id()),
  /** How many were chosen, would change or did, and have changed. */
  chosen: number(),
  changing: number(),
  changed: number(),
  /** Those that stay as they are, by the reason. */
  kept: array(type({ code: enums(BULK_OBSTACLES), count: number() })),
  /** The first of those that change, and of those that do not. */
  rows: array(ChangedRow),
  keptRows: array(type({ document: Named, code: enums(BULK_OBSTACLES) })),
})
export type BulkChangeView = Infer<typeof BulkChangeView>

/** The same in a list. */
export const ListedBulkChange = type({
  id: id(),
  kind: enums(BULK_CHANGES),
  price: nullable(dinarAmount()),
  percent: nullable(number()),
  from: nullable(moment()),
  until: nullable(moment()),
  by: string(),
  at: moment(),
  reason: string(),
  undoes: nullable(id()),
  undoneBy: nullable(id()),
  changed: number(),
  isDone: boolean(),
})
export type ListedBulkChange = Infer<typeof ListedBulkChange>

/** Works out what a change would do, and changes nothing; what it found can be applied for an hour. */
export const previewBulkChange = defineCall({
  method: 'POST',
  path: '/office/admin/bulk-changes',
  caller: 'admin',
  body: object({ chosen: ChosenDocuments, change: BulkChangeForm }),
  result: BulkChangeView,
  errors: ['too_many_documents', 'no_documents'],
})

/** The newest changes that were applied. */
export const listBulkChanges = defineCall({
  method: 'GET',
  path: '/office/admin/bulk-changes',
  caller: 'admin',
  result: array(ListedBulkChange),
})

const params = object({ id: id() })
const body = object({ reason: text(1, STAFF_REASON_MAX_LENGTH) })

export const getBulkChange = defineCall({
  method: 'GET',
  path: '/office/admin/bulk-changes/:id',
  caller: 'admin',
  params,
  result: BulkChangeView,
  errors: ['bulk_change_not_found'],
})

/**
 * Does what the caller's own preview says. A document that has changed since is left alone and reported.
 * Repeated, it goes on where it stopped and answers the same.
 */
export const applyBulkChange = defineCall({
  method: 'POST',
  path: '/office/admin/bulk-changes/:id/apply',
  caller: 'admin',
  params,
  body,
  result: BulkChangeView,
  errors: ['bulk_change_not_found', 'preview_expired'],
})

/** Gives documents back what they had before a change, where nothing has changed it since. */
export const undoBulkChange = defineCall({
  method: 'POST',
  path: '/office/admin/bulk-changes/:id/undo',
  caller: 'admin',
  params,
  body,
  result: BulkChangeView,
  errors: ['bulk_change_not_found', 'bulk_change_not_done', 'done_before'],
})
