import { atom, readonlyType } from 'nanostores'
import * as documents from '../../../contract/office-all-documents.ts'
import {
  ALL_DOCUMENT_SORTS,
  type OfficeDocumentFilters,
} from '../../../contract/office-all-documents.ts'
import type {
  BulkChangeForm,
  BulkChangeView,
  ChosenDocuments,
} from '../../../contract/office-bulk-changes.ts'
import * as bulk from '../../../contract/office-bulk-changes.ts'
import { DOCUMENT_STATES } from '../../../rules/document-life.ts'
import { PAGE_SIZE_MAX } from '../../../rules/pager.ts'
import { LEVELS, parsePriceBand } from '../../../rules/price-bands.ts'
import { ask } from '../../kit/backend.ts'
import { resource } from '../../kit/loader.ts'
import { tableOf } from '../../kit/tables/table.ts'

const FILTERS = [
  'state',
  'teacher',
  'subject',
  'level',
  'category',
  'price',
  'discount',
  'facts',
] as const

export const allDocumentsTable = tableOf(documents.listAllDocuments, {
  sorts: ALL_DOCUMENT_SORTS,
  filters: Object.fromEntries(
    FILTERS.map((name) => [name, (value: string) => filtersOf('', { [name]: value })]),
  ),
})

function filtersOf(
  q: string | undefined,
  values: Readonly<Record<string, unknown>>,
): OfficeDocumentFilters {
  const state = DOCUMENT_STATES.find((each) => each === values.state)
  const level = LEVELS.find((each) => each === values.level)
  const discount = (['discounted', 'timed', 'none'] as const).find(
    (each) => each === values.discount,
  )
  const band = parsePriceBand(String(values.price ?? ''))
  return {
    ...(q && { q }),
    ...(state && { state }),
    ...(level && { level }),
    ...(discount && { discount }),
    ...(values.facts === 'missing' && { facts: 'missing' }),
    ...(band && { minPrice: band.min }),
    ...(band && band.max !== null && { maxPrice: band.max }),
    ...idOf('teacher', values.teacher),
    ...idOf('subject', values.subject),
    ...idOf('category', values.category),
  }
}

function idOf(name: 'teacher' | 'subject' | 'category', value: unknown): OfficeDocumentFilters {
  return /^[1-9]\d{0,8}$/.test(String(value)) ? { [name]: Number(value) } : {}
}

export const documentChoices = resource(documents.getDocumentChoices)

/** The picked documents: their ids, or all documents that match the filters. */
export type Picked = ReadonlySet<number> | 'all'

const $picks = atom<Picked>(new Set())
export const $picked = readonlyType($picks)

// Picking "all" refers to the filters of that moment, so other filters reset it.
let lastFilters = ''
allDocumentsTable.$view.listen(({ q, filters }) => {
  const now = JSON.stringify([q, filters])
  if (now !== lastFilters && $picks.get() === 'all') $picks.set(new Set())
  lastFilters = now
})

/** Adds a document to the picked ones, up to the limit of one bulk change, or removes it. */
export function pick(id: number, isPicked: boolean): void {
  const picked = $picks.get()
  const ids = new Set(picked === 'all' ? idsOnPage() : picked)
  if (!isPicked) ids.delete(id)
  else if (ids.size < PAGE_SIZE_MAX) ids.add(id)
  $picks.set(ids)
}

/** Adds the documents on the current page to the picked ones. */
export function pickPage(): void {
  for (const id of idsOnPage()) pick(id, true)
}

export const pickAll = (): void => $picks.set('all')
export const pickNone = (): void => $picks.set(new Set())

const idsOnPage = () => (allDocumentsTable.$state.get().page?.content ?? []).map(({ id }) => id)

function chosenDocuments(): ChosenDocuments {
  const picked = $picks.get()
  if (picked !== 'all') return { ids: [...picked] }
  const { q, filters } = allDocumentsTable.$view.get()
  return { filters: filtersOf(q, filters) }
}

const $view = atom<BulkChangeView | null>(null)
/** The previewed or applied change that the page shows; null if there is none. */
export const $change = readonlyType($view)

export async function previewChange(change: BulkChangeForm): Promise<void> {
  const body = { chosen: chosenDocuments(), change }
  $view.set(await ask(bulk.previewBulkChange, { body }))
}

/** Applies a previewed change; repeating the call has no effect. Throws an `ApiError`. */
export async function applyChange({ id }: BulkChangeView, reason: string): Promise<void> {
  $view.set(await ask(bulk.applyBulkChange, { params: { id }, body: { reason } }))
  pickNone()
  refresh()
}

export async function undoChange(id: number, reason: string): Promise<void> {
  try {
    $view.set(await ask(bulk.undoBulkChange, { params: { id }, body: { reason } }))
  } finally {
    refresh()
  }
}

export const forgetChange = (): void => $view.set(null)

export const bulkChanges = resource(bulk.listBulkChanges)

function refresh(): void {
  allDocumentsTable.refresh()
  void bulkChanges.refresh()
}
