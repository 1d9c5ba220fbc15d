import { atom, readonlyType } from 'nanostores'
import { isLibrarySort, type LibrarySort } from '../../rules/library-list.ts'

/** What the customer chose to see of their documents; null means all. */
export interface LibraryChoices {
  /** What is searched for, as typed. */
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
/** Browsers refuse a page that writes its address for every letter. */
const TYPING_PAUSE_MS = 300

const $all = atom(ALL)
export const $choices = readonlyType($all)

export function choose<Name extends keyof LibraryChoices>(
  name: Name,
  value: LibraryChoices[Name],
): void {
  $all.set({ ...$all.get(), [name]: value })
}

/** Shows everything again, in the chosen order. */
export function clearChoices(): void {
  $all.set({ ...ALL, sort: $all.get().sort })
}

/**
 * Takes the choices from the address of the page and keeps them there, so that a reload or the way back
 * finds them again. Returns what ends that.
 */
export function followAddress(): () => void {
  readAddress()
  let writing: ReturnType<typeof setTimeout> | undefined
  const ends = $all.listen(() => {
    clearTimeout(writing)
    writing = setTimeout(writeAddress, TYPING_PAUSE_MS)
  })
  return () => {
    ends()
    clearTimeout(writing)
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

/** Without an entry in the history for each change. */
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
