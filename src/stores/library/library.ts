import { computed, map, readonlyType } from 'nanostores'
import type { PurchasedDocument } from '../../contract/library.ts'
import type { NamedEntry } from '../../rules/catalogue-names.ts'
import { createLoader } from '../account/loader.ts'
import { $lastRead } from '../account/user-data.ts'
import { readPurchased } from './owned.ts'

export type { PurchasedDocument } from '../../contract/library.ts'

/** Subject, level and type; null means all. */
export interface LibraryFilters {
  matiereId: string | null
  niveauId: string | null
  category: string | null
}

const NO_FILTERS: LibraryFilters = { matiereId: null, niveauId: null, category: null }

/** The types to choose from, by code, whatever the customer has. */
const TYPES = ['lessons', 'exercises', 'exams', 'summaries'] as const

/** Books are no type of documents. */
const NO_TYPE = 'books'

/** A document's value for a filter. Other backends may have types without a code. */
const VALUES = {
  matiereId: ({ matiereId }) => String(matiereId),
  niveauId: ({ niveauId }) => String(niveauId),
  category: ({ categoryCode, categoryName }) => categoryCode ?? categoryName,
} satisfies Record<keyof LibraryFilters, (document: PurchasedDocument) => string>

const library = createLoader<readonly PurchasedDocument[]>('my documents')

/** The documents that the user bought. */
export const $library = library.$state

const $chosen = map<LibraryFilters>({ ...NO_FILTERS })
export const $libraryFilters = readonlyType($chosen)

const $all = computed($library, (state) => (state.phase === 'ready' ? state.value : []))

/** The documents that pass the filters. */
export const $shownDocuments = computed([$all, $chosen], (documents, filters) =>
  documents.filter((document) =>
    filterNames.every((name) => filters[name] === null || filters[name] === VALUES[name](document)),
  ),
)

const filterNames = Object.keys(NO_FILTERS) as (keyof LibraryFilters)[]

/** The subject, level and type of a document, by which the page names them. */
export const entriesOf = (document: PurchasedDocument) =>
  ({
    matiereId: {
      name: document.matiereName,
      code: document.matiereCode,
      names: document.matiereNames,
    },
    niveauId: { name: document.niveauName, code: document.niveauCode, names: document.niveauNames },
    category: {
      name: document.categoryName,
      code: document.categoryCode,
      names: document.categoryNames,
    },
  }) satisfies Record<keyof LibraryFilters, NamedEntry>

/** An option of a filter. */
export type FilterOption = NamedEntry & { value: string }

/** The options of each filter: of subjects and levels only those that occur among the documents. */
export const $filterOptions = computed($all, (documents) => ({
  matiereId: optionsOf(documents, 'matiereId'),
  niveauId: optionsOf(documents, 'niveauId'),
  category: typeOptions(optionsOf(documents, 'category')),
}))

/** All the types, those of the documents by their present names, and what else occurs. */
function typeOptions(found: readonly FilterOption[]): readonly FilterOption[] {
  if (!found.some(({ code }) => code)) return found
  const fixed = TYPES.map(
    (code) => found.find(({ value }) => value === code) ?? { value: code, name: code, code },
  )
  const known: readonly string[] = [...TYPES, NO_TYPE]
  return [...fixed, ...found.filter(({ value }) => !known.includes(value))]
}

function optionsOf(
  documents: readonly PurchasedDocument[],
  filter: keyof LibraryFilters,
): FilterOption[] {
  const options = new Map<string, FilterOption>()
  for (const document of documents) {
    const value = VALUES[filter](document)
    options.set(value, { value, ...entriesOf(document)[filter] })
  }
  return [...options.values()].sort((a, b) => Number(a.value) - Number(b.value))
}

/** Loads the list. */
export function loadLibrary(): Promise<void> {
  return library.load(readPurchased)
}

/** Reloads the list without hiding it. */
export async function refreshLibrary(): Promise<void> {
  if ($library.get().phase === 'ready') await library.refresh(readPurchased)
}

/** The document that was last read in this browser. */
export const $continued = computed([$all, $lastRead], (documents, id) =>
  documents.find(({ documentId }) => documentId === id),
)

export function filterLibrary(name: keyof LibraryFilters, value: string | null): void {
  $chosen.setKey(name, value)
}

export function clearLibraryFilters(): void {
  $chosen.set({ ...NO_FILTERS })
}
