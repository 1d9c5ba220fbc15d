import { atom, computed, readonlyType } from 'nanostores'
import type { PurchasedDocument } from '../../contract/library.ts'
import type { NamedEntry } from '../../rules/catalogue-names.ts'
import { lastReadOf } from '../../rules/library-list.ts'
import { keepList, keptList } from '../offline/documents-cache.ts'
import { dropRevoked } from '../offline/kept.ts'
import { createLoader } from '../session/loader.ts'
import { logOnly, problemOf } from '../shared/problem.ts'
import { $lastRead } from '../user-data/user-data.ts'
import { readPurchased } from './owned.ts'
import { $shelves, type Shelf } from './shelves.ts'
import { $choices } from './shown.ts'

export type { PurchasedDocument } from '../../contract/library.ts'

export type LibraryFilter = 'matiereId' | 'niveauId' | 'category'

const FILTERS: readonly LibraryFilter[] = ['matiereId', 'niveauId', 'category']

const TYPES = ['lessons', 'exercises', 'exams', 'summaries', 'books'] as const

/** A document's value for each filter. Other backends may have types without a code. */
const VALUES = {
  matiereId: ({ matiereId }) => String(matiereId),
  niveauId: ({ niveauId }) => String(niveauId),
  category: ({ categoryCode, categoryName }) => categoryCode ?? categoryName,
} satisfies Record<LibraryFilter, (document: PurchasedDocument) => string>

const library = createLoader<readonly PurchasedDocument[]>('my documents')

export const $library = library.$state

export const $allDocuments = computed($library, (state) =>
  state.phase === 'ready' ? state.value : [],
)

/** The family's shelf whose documents are shown; null for all documents. */
export const $shownShelf = computed(
  [$shelves, $choices],
  (shelves, { shelf }): Shelf | null => shelves.find(({ id }) => String(id) === shelf) ?? null,
)

/** The documents that match the filters and are on the chosen shelf. */
export const $filtered = computed(
  [$allDocuments, $choices, $shownShelf],
  (documents, choices, shelf) =>
    documents.filter(
      (document) =>
        FILTERS.every(
          (name) => choices[name] === null || choices[name] === VALUES[name](document),
        ) &&
        (!shelf || shelf.documentIds.includes(document.documentId)),
    ),
)

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
  }) satisfies Record<LibraryFilter, NamedEntry>

type FilterOption = NamedEntry & { value: string }

/** The options of each filter: of subjects and levels only those that occur among the documents. */
export const $filterOptions = computed($allDocuments, (documents) => ({
  matiereId: optionsOf(documents, 'matiereId'),
  niveauId: optionsOf(documents, 'niveauId'),
  category: typeOptions(optionsOf(documents, 'category')),
}))

/** The types of the documents under their current names, the fixed ones, and any others. */
function typeOptions(found: readonly FilterOption[]): readonly FilterOption[] {
  if (!found.some(({ code }) => code)) return found
  const fixed = TYPES.map(
    (code) => found.find(({ value }) => value === code) ?? { value: code, name: code, code },
  )
  const known: readonly string[] = TYPES
  return [...fixed, ...found.filter(({ value }) => !known.includes(value))]
}

function optionsOf(documents: readonly PurchasedDocument[], filter: LibraryFilter): FilterOption[] {
  const options = new Map<string, FilterOption>()
  for (const document of documents) {
    const value = VALUES[filter](document)
    options.set(value, { value, ...entriesOf(document)[filter] })
  }
  return [...options.values()].sort((a, b) => Number(a.value) - Number(b.value))
}

const $at = atom<number | null>(null)
/** When the shown copy was kept in this browser (ms since 1970); null for a fresh list. */
export const $listKeptAt = readonlyType($at)

/** Reads the list; without a network, the kept copy. */
async function readList(userId: number): Promise<readonly PurchasedDocument[]> {
  try {
    const documents = await readPurchased()
    // Parse and render a long list in two tasks, so that an old phone can react to a touch in
    // between.
    await new Promise((resolve) => setTimeout(resolve))
    $at.set(null)
    keepList(userId, documents).catch(logOnly('keeping my documents'))
    const owned = new Set(documents.map(({ documentId }) => documentId))
    dropRevoked(userId, owned).catch(logOnly('documents that are no longer owned'))
    return documents
  } catch (error) {
    const kept = problemOf(error).status === 0 ? await keptList(userId) : null
    if (!kept) throw error
    $at.set(kept.at)
    return kept.documents
  }
}

export function loadLibrary(): Promise<void> {
  return library.load(readList)
}

export async function refreshLibrary(): Promise<void> {
  if ($library.get().phase === 'ready') await library.refresh(readList)
}

export const $continued = computed([$allDocuments, $lastRead], lastReadOf)
