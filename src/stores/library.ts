import { atom, computed, map, readonlyType } from 'nanostores'
import type { PurchasedDocument } from '../contract/library.ts'
import { readPurchased } from './owned.ts'
import { logOnly, type Problem, problemOf } from './problem.ts'
import { $session } from './session.ts'
import { $lastRead } from './user-data.ts'

export type { PurchasedDocument } from '../contract/library.ts'

/** The list of my documents, in one of its states; an empty list is `ready`. */
export type Library =
  | { phase: 'loading' }
  | { phase: 'failed'; problem: Problem }
  | { phase: 'ready'; documents: readonly PurchasedDocument[] }

/** The filters of section 2: subject, level and type, by id; null is all. */
export interface LibraryFilters {
  matiereId: number | null
  niveauId: number | null
  categoryId: number | null
}

const NO_FILTERS: LibraryFilters = { matiereId: null, niveauId: null, categoryId: null }

const $list = atom<Library>({ phase: 'loading' })
export const $library = readonlyType($list)

const $chosen = map<LibraryFilters>({ ...NO_FILTERS })
export const $libraryFilters = readonlyType($chosen)

const $all = computed($list, (list) => (list.phase === 'ready' ? list.documents : []))

/** The documents that pass the filters. */
export const $shownDocuments = computed([$all, $chosen], (documents, filters) =>
  documents.filter((document) =>
    filterNames.every((name) => filters[name] === null || filters[name] === document[name]),
  ),
)

const filterNames = Object.keys(NO_FILTERS) as (keyof LibraryFilters)[]

/** A choice of a filter; the code lets the page translate its name. */
export interface FilterOption {
  id: number
  name: string
  code: string | null
}

/** What each filter offers: only what occurs among the documents. */
export const $filterOptions = computed($all, (documents) => ({
  matiereId: optionsOf(documents, (d) => [d.matiereId, d.matiereName, d.matiereCode]),
  niveauId: optionsOf(documents, (d) => [d.niveauId, d.niveauName, d.niveauCode]),
  categoryId: optionsOf(documents, (d) => [d.categoryId, d.categoryName, d.categoryCode]),
}))

function optionsOf(
  documents: readonly PurchasedDocument[],
  pick: (document: PurchasedDocument) => [number, string, (string | null)?],
): FilterOption[] {
  const options = new Map<number, FilterOption>()
  for (const [id, name, code] of documents.map(pick))
    options.set(id, { id, name, code: code ?? null })
  return [...options.values()].sort((a, b) => a.id - b.id)
}

/** Loads the list; does nothing when nobody is logged in. */
export async function loadLibrary(): Promise<void> {
  if (!$session.get()) return
  $list.set({ phase: 'loading' })
  try {
    $list.set({ phase: 'ready', documents: await readPurchased() })
  } catch (error) {
    $list.set({ phase: 'failed', problem: problemOf(error) })
  }
}

/** Brings a list that is shown up to date without hiding it. */
export async function refreshLibrary(): Promise<void> {
  if ($list.get().phase !== 'ready') return
  try {
    $list.set({ phase: 'ready', documents: await readPurchased() })
  } catch (error) {
    logOnly('my documents')(error)
  }
}

/** The document that was read last in this browser, to go on with. */
export const $continued = computed([$all, $lastRead], (documents, id) =>
  documents.find(({ documentId }) => documentId === id),
)

export function filterLibrary(name: keyof LibraryFilters, id: number | null): void {
  $chosen.setKey(name, id)
}

export function clearLibraryFilters(): void {
  $chosen.set({ ...NO_FILTERS })
}
