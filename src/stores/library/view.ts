import { readonlyType } from 'nanostores'
import { LIBRARY_VIEW_KEY } from '../../rules/storage-keys.ts'
import { persistedText } from '../shared/persistence.ts'

/** Books on a shelf, or the table. */
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
