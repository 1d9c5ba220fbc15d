import { atom, readonlyType } from 'nanostores'
import type { Result } from '../../contract/call.ts'
import * as documents from '../../contract/office-all-documents.ts'
import {
  ALL_DOCUMENT_SORTS,
  type AllDocumentSort,
  type DocumentFilters,
  type ListedDocument,
} from '../../contract/office-all-documents.ts'
import type { ChosenDocuments } from '../../contract/office-bulk-changes.ts'
import { DOCUMENT_STATES } from '../../rules/document-life.ts'
import { PAGE_SIZE_MAX } from '../../rules/pager.ts'
import { LEVELS, parsePriceBand } from '../../rules/price-bands.ts'
import { ask } from './backend.ts'
import { createLoader } from './loader.ts'
import { createTable } from './table.ts'

/** The documents of all teachers. */
export const allDocumentsTable = createTable<
  ListedDocument,
  AllDocumentSort,
  Result<typeof documents.listAllDocuments>
>({
  what: 'all documents',
  sorts: ALL_DOCUMENT_SORTS,
  filters: ['state', 'teacher', 'subject', 'level', 'category', 'price', 'discount'],
  load: ({ page, sort, q, ...set }, signal) => {
    const query = { page, sort, ...filtersOf(q, set) }
    return ask(documents.listAllDocuments, { query }, { signal })
  },
})

/** What a view of the table means to the calls; what an address cannot mean is no filter. */
function filtersOf(q: string | undefined, set: Readonly<Record<string, unknown>>): DocumentFilters {
  const state = DOCUMENT_STATES.find((each) => each === set.state)
  const level = LEVELS.find((each) => each === set.level)
  const discount = (['discounted', 'timed', 'none'] as const).find((each) => each === set.discount)
  const band = parsePriceBand(String(set.price ?? ''))
  return {
    ...(q && { q }),
    ...(state && { state }),
    ...(level && { level }),
    ...(discount && { discount }),
    ...(band && { minPrice: band.min }),
    ...(band && band.max !== null && { maxPrice: band.max }),
    ...idOf('teacher', set.teacher),
    ...idOf('subject', set.subject),
    ...idOf('category', set.category),
  }
}

function idOf(name: 'teacher' | 'subject' | 'category', value: unknown): DocumentFilters {
  return /^[1-9]\d{0,8}$/.test(String(value)) ? { [name]: Number(value) } : {}
}

const choosing = createLoader<Result<typeof documents.getDocumentChoices>>('choices of documents')
/** The options of the list's filters. */
export const $documentChoices = choosing.$state
export const loadDocumentChoices = (): Promise<void> =>
  choosing.load(() => ask(documents.getDocumentChoices, {}))

/** Which documents are picked: by their ids, or all that the filters let through. */
export type Picked = ReadonlySet<number> | 'all'

const $picks = atom<Picked>(new Set())
export const $picked = readonlyType($picks)

// All that other filters let through is something else.
let filtered = ''
allDocumentsTable.$view.listen(({ q, filters }) => {
  const now = JSON.stringify([q, filters])
  if (now !== filtered && $picks.get() === 'all') $picks.set(new Set())
  filtered = now
})

/** Picks a document, or drops it; as many as one change takes by their ids. */
export function pick(id: number, isPicked: boolean): void {
  const picked = $picks.get()
  const ids = new Set(picked === 'all' ? idsOnPage() : picked)
  if (!isPicked) ids.delete(id)
  else if (ids.size < PAGE_SIZE_MAX) ids.add(id)
  $picks.set(ids)
}

/** Adds the documents that the page shows to the picked ones. */
export function pickPage(): void {
  for (const id of idsOnPage()) pick(id, true)
}

export const pickAll = (): void => $picks.set('all')
export const pickNone = (): void => $picks.set(new Set())

const idsOnPage = () => (allDocumentsTable.$state.get().page?.content ?? []).map(({ id }) => id)

/** What is picked, as a change takes it. */
export function chosenDocuments(): ChosenDocuments {
  const picked = $picks.get()
  if (picked !== 'all') return { ids: [...picked] }
  const { q, filters } = allDocumentsTable.$view.get()
  return { filters: filtersOf(q, filters) }
}
