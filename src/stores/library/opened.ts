import { atom, readonlyType } from 'nanostores'

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

/** Opens the family's shelves; with an id, the choice of the documents on that shelf. */
export function openShelves(shelfId: number | null = null): void {
  $open.set({ kind: 'shelves', shelfId })
}

export function closeOpened(): void {
  $open.set(null)
}
