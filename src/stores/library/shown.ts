import { atom, computed, readonlyType } from 'nanostores'
import { isLibrarySort, type LibrarySort } from '../../rules/library-list.ts'
import { LIBRARY_VIEW_KEY } from '../../rules/storage-keys.ts'
import { persistedText } from '../shared/persistence.ts'

/** The customer's filters and sort order; a filter that is null shows all documents. */
export interface LibraryChoices {
  q: string
  sort: LibrarySort
  matiereId: string | null
  niveauId: string | null
  category: string | null
  /** The id of a family's shelf. */
  shelf: string | null
}

const ALL: LibraryChoices = {
  q: '',
  sort: 'newest',
  matiereId: null,
  niveauId: null,
  category: null,
  shelf: null,
}
const NAMES = Object.keys(ALL) as (keyof LibraryChoices)[]

const LONGEST_TEXT = 100
/** Browsers refuse a page that changes its URL for every letter. */
const TYPING_PAUSE_MS = 300

const $all = atom(ALL)
export const $choices = readonlyType($all)

/** How many of the choices hide documents: all but the order. */
export const $narrowing = computed(
  $all,
  (all) => NAMES.filter((name) => name !== 'sort' && all[name] !== ALL[name]).length,
)

export function choose<Name extends keyof LibraryChoices>(
  name: Name,
  value: LibraryChoices[Name],
): void {
  $all.set({ ...$all.get(), [name]: value })
}

export function clearChoices(): void {
  $all.set({ ...ALL, sort: $all.get().sort })
}

/**
 * Keeps the choices in the URL, so that they survive a reload and "back"; returns a stop function.
 */
export function followAddress(): () => void {
  readAddress()
  let timer: ReturnType<typeof setTimeout> | undefined
  const unsubscribe = $all.listen(({ q }, before) => {
    clearTimeout(timer)
    // A reload right after any other choice finds it in the URL.
    if (q && q !== before?.q) timer = setTimeout(writeAddress, TYPING_PAUSE_MS)
    else writeAddress()
  })
  return () => {
    unsubscribe()
    clearTimeout(timer)
  }
}

function readAddress(): void {
  const query = new URLSearchParams(location.search)
  const text = (name: string) => query.get(name)?.slice(0, LONGEST_TEXT) || null
  const sort = query.get('sort')
  $all.set({
    q: text('q') ?? '',
    sort: isLibrarySort(sort) ? sort : ALL.sort,
    matiereId: text('matiereId'),
    niveauId: text('niveauId'),
    category: text('category'),
    shelf: text('shelf'),
  })
}

/** Replaces the URL, so that a change adds no history entry. */
function writeAddress(): void {
  const address = new URL(location.href)
  const choices = $all.get()
  for (const name of NAMES) {
    const value = choices[name]
    if (value === ALL[name] || value === null) address.searchParams.delete(name)
    else address.searchParams.set(name, value)
  }
  history.replaceState(history.state, '', address)
}

export const LIBRARY_VIEWS = ['books', 'table'] as const
export type LibraryView = (typeof LIBRARY_VIEWS)[number]

const $kept = persistedText(LIBRARY_VIEW_KEY)

/** The view chosen in this browser; '' if none was. */
export const $chosenView = readonlyType($kept)

export function chooseView(view: LibraryView): void {
  $kept.set(view)
}

/** The view to show: the chosen one; by default books on phones, and the table where it fits. */
export function shownView(chosen: string, isNarrow: boolean): LibraryView {
  return LIBRARY_VIEWS.find((view) => view === chosen) ?? (isNarrow ? 'books' : 'table')
}

/** The dialog over my documents: that of a book, its rating, or the family's shelves. */
export type Opened =
  | { kind: 'book' | 'rating'; documentId: number }
  | { kind: 'shelves'; shelfId: number | null }

const $open = atom<Opened | null>(null)
export const $opened = readonlyType($open)

export function openBook(documentId: number): void {
  $open.set({ kind: 'book', documentId })
}

export function openRating(documentId: number): void {
  $open.set({ kind: 'rating', documentId })
}

/** With an id, opens the choice of the documents on that shelf. */
export function openShelves(shelfId: number | null = null): void {
  $open.set({ kind: 'shelves', shelfId })
}

export function closeOpened(): void {
  $open.set(null)
}
