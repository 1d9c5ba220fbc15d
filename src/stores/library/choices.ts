import { atom, readonlyType } from 'nanostores'
import { isLibrarySort, type LibrarySort } from '../../rules/library-list.ts'

/** The customer's filters and sort order; a filter that is null shows all documents. */
export interface LibraryChoices {
  /** The search text, as typed. */
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

export function choose<Name extends keyof LibraryChoices>(
  name: Name,
  value: LibraryChoices[Name],
): void {
  $all.set({ ...$all.get(), [name]: value })
}

/** Clears all filters; the sort order stays. */
export function clearChoices(): void {
  $all.set({ ...ALL, sort: $all.get().sort })
}

/**
 * Reads the choices from the page's URL and writes them back to it, so that they survive a reload
 * and "back". Returns a function that stops it.
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
