import { searchedPart } from './pasted-text.ts'
import { foldQuery, foldText, foldWords, startsOf } from './search-fold.ts'
import { textOrder } from './text-order.ts'

export const LIBRARY_SORTS = ['newest', 'read', 'title', 'subject'] as const
export type LibrarySort = (typeof LIBRARY_SORTS)[number]

export const isLibrarySort = (value: unknown): value is LibrarySort =>
  LIBRARY_SORTS.some((sort) => sort === value)

/**
 * The fields that the sort order of the customer's own documents depends on; moments are in ISO
 * 8601, UTC.
 */
export interface OwnBook {
  readonly documentId: number
  readonly documentTitle: string
  readonly purchaseDate: string
  readonly pageCount?: number | null | undefined
  /** The last reading position on any device. */
  readonly place?: { readonly page: number; readonly at: string } | null | undefined
}

/** The words of a text in the forms in which they are found: with and without their articles. */
const wordForms = (text: string) => [...new Set([...foldText(text).split(' '), ...foldWords(text)])]

/** For each word of the search text, the possible beginnings of the words that it finds. */
const wantedStarts = (text: string) =>
  foldText(text)
    .split(' ')
    .map((word) => [word, ...foldQuery(word).flatMap(startsOf)])
    // A lone article finds everything, so it is ignored.
    .filter(([, ...starts]) => starts.length > 0)

/**
 * Creates a search in the customer's own documents. `prepare` folds a document's words, which is
 * slow on old phones; the search does so for documents that are not prepared. Each text, such as a
 * teacher's name, is folded only once.
 */
export function createSearch<Book extends object>(wordsOf: (book: Book) => readonly string[]) {
  const formsOf = new Map<string, readonly string[]>()
  const folded = new WeakMap<Book, readonly string[]>()
  function prepare(book: Book): readonly string[] {
    const known = folded.get(book)
    if (known) return known
    const words = wordsOf(book).flatMap((text) => {
      const forms = formsOf.get(text) ?? wordForms(text)
      formsOf.set(text, forms)
      return forms
    })
    folded.set(book, words)
    return words
  }
  /**
   * The books in which each word of the text is the beginning of a word, in any order; all books
   * for a blank text.
   */
  function search(books: readonly Book[], text: string): readonly Book[] {
    const wanted = wantedStarts(searchedPart(text))
    if (wanted.length === 0) return books
    return books.filter((book) => {
      const words = prepare(book)
      return wanted.every((starts) =>
        words.some((word) => starts.some((start) => word.startsWith(start))),
      )
    })
  }
  return { prepare, search }
}

/**
 * The customer's own documents, sorted: the last read first, and those never opened last (`read`);
 * by title; by subject and then title. `newest` keeps the server's order.
 */
export function sortBooks<Book extends OwnBook>(
  books: readonly Book[],
  sort: LibrarySort,
  language: string,
  subjectOf: (book: Book) => string,
): readonly Book[] {
  if (sort === 'newest') return books
  if (sort === 'read') return books.toSorted((a, b) => readAt(b).localeCompare(readAt(a)))
  const compare = textOrder(language)
  const byTitle = (a: Book, b: Book) => compare(a.documentTitle, b.documentTitle)
  if (sort === 'title') return books.toSorted(byTitle)
  return books.toSorted((a, b) => compare(subjectOf(a), subjectOf(b)) || byTitle(a, b))
}

const readAt = ({ place }: OwnBook) => place?.at ?? ''

/**
 * The document that was read last on any device; without reading positions, `lastRead`, which only
 * this browser knows.
 */
export function lastReadOf<Book extends OwnBook>(
  books: readonly Book[],
  lastRead: number | null,
): Book | undefined {
  const [newest] = sortBooks(books, 'read', 'en', () => '')
  return newest?.place ? newest : books.find(({ documentId }) => documentId === lastRead)
}

/**
 * How far a document was read, in pages; undefined if it was never opened, or its length is
 * unknown.
 */
export function progressOf({
  place,
  pageCount,
}: OwnBook): { page: number; pages: number; isThrough: boolean } | undefined {
  if (!place || !pageCount) return undefined
  // A new version may be shorter.
  const page = Math.min(place.page, pageCount)
  return { page, pages: pageCount, isThrough: page === pageCount }
}

/**
 * The maximum number of a family's shelves: names, mostly of children, under which it groups bought
 * documents.
 */
export const SHELVES_MAX = 12
/** In characters as people count them, so marks and joined forms do not count separately. */
export const SHELF_NAME_MAX_LENGTH = 30
/** The limit of a name in code points, of which a visible character may have several. */
export const SHELF_NAME_MAX_CODE_POINTS = 4 * SHELF_NAME_MAX_LENGTH
/** How many documents one call may put on a shelf, and how many it may take off. */
export const SHELVED_AT_ONCE_MAX = 500

/** The problem with a name, as `plainName` returns it, or null. */
export function shelfNameProblem(name: string): 'required' | 'maxLength' | 'pattern' | null {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return 'pattern'
  if (!/[\p{L}\p{N}\p{S}\p{P}]/u.test(name)) return name === '' ? 'required' : 'pattern'
  if (name.length > 2 * SHELF_NAME_MAX_CODE_POINTS) return 'maxLength'
  const { length } = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(name)]
  return length > SHELF_NAME_MAX_LENGTH || [...name].length > SHELF_NAME_MAX_CODE_POINTS
    ? 'maxLength'
    : null
}

export function isSameShelfName(one: string, other: string): boolean {
  return one === other || (foldText(one) !== '' && foldText(one) === foldText(other))
}
