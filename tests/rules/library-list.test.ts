import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createSearch,
  lastReadOf,
  type OwnBook,
  progressOf,
  sortBooks,
} from '../../src/rules/library-list.ts'

interface Book extends OwnBook {
  readonly subject: string
}

const book = (documentId: number, documentTitle: string, rest: Partial<Book> = {}): Book => ({
  documentId,
  documentTitle,
  purchaseDate: '2026-03-05T10:00:00Z',
  subject: '',
  ...rest,
})
const at = (day: number, page = 1) => ({ page, at: `2026-03-0${day}T10:00:00Z` })
const ids = (books: readonly OwnBook[]) => books.map(({ documentId }) => documentId)

describe('the search in one’s own documents', () => {
  const books = [
    book(1, 'الكسور خطوة بخطوة', { subject: 'الرياضيات' }),
    book(2, 'Équations du second degré', { subject: 'Mathématiques' }),
    book(3, 'أسئلة في الفيزياء 2026', { subject: 'Physique' }),
  ]
  const { search } = createSearch<Book>(({ documentTitle, subject }) => [documentTitle, subject])

  test.each([
    ['', [1, 2, 3]],
    ['   ', [1, 2, 3]],
    ['كسور', [1]],
    ['خطوه الكسور', [1]],
    ['MATHEMATIQUES', [2]],
    ['deg equ', [2]],
    ['٢٠٢٦', [3]],
    ['رياضيات', [1]],
    // The middle of a word is not what people type first.
    ['quations', []],
    ['الكسور فيزياء', []],
    ['الك', [1]],
    ['خطوة الكس', [1]],
    ['والر', [1]],
  ])('%j finds %j', (text, found) => {
    expect(ids(search(books, text))).toEqual(found)
  })

  test('finds a title by the start of any of its words', () => {
    // The letters that words and articles start with; without hamza, whose letter depends on the
    // next one.
    const words = fc.array(
      fc.string({ unit: fc.constantFrom(...'الوبكلغةتيdé3'), minLength: 1, maxLength: 9 }),
      { minLength: 1, maxLength: 4 },
    )
    fc.assert(
      fc.property(words, fc.nat(), fc.integer({ min: 2, max: 9 }), (written, which, length) => {
        const start = written[which % written.length]?.slice(0, length) ?? ''
        const title = book(1, written.join(' '))
        expect(ids(search([title], start))).toEqual([1])
      }),
      { numRuns: 2000 },
    )
  })
})

describe('the sort orders', () => {
  const books = [
    book(1, 'Série 10', { subject: 'Physique', place: at(2) }),
    book(2, 'الكسور', { subject: 'Arabe' }),
    book(3, 'Série 9', { subject: 'Arabe', place: at(7) }),
    book(4, 'économie', { subject: 'Physique' }),
  ]
  test.each([
    ['newest', [1, 2, 3, 4]],
    ['read', [3, 1, 2, 4]],
    ['title', [4, 3, 1, 2]],
    ['subject', [3, 2, 4, 1]],
  ] as const)('%s', (sort, order) => {
    expect(ids(sortBooks(books, sort, 'fr', ({ subject }) => subject))).toEqual(order)
  })
})

test('sorts by the last read on any device; falls back to what this browser knows', () => {
  const books = [book(1, 'a', { place: at(2) }), book(2, 'b', { place: at(3) }), book(3, 'c')]
  expect(lastReadOf(books, 3)?.documentId).toBe(2)
  expect(lastReadOf([book(1, 'a'), book(3, 'c')], 3)?.documentId).toBe(3)
  expect(lastReadOf([book(1, 'a')], 3)).toBeUndefined()
  expect(lastReadOf([], null)).toBeUndefined()
})

test('progress counts pages of the current version, and is unknown without a place or a page count', () => {
  const opened = book(1, 'a', { place: at(1, 3) })
  expect(progressOf(opened)).toBeUndefined()
  expect(progressOf({ ...opened, pageCount: 12 })).toEqual({ page: 3, pages: 12, isThrough: false })
  expect(progressOf({ ...opened, pageCount: 2 })).toEqual({ page: 2, pages: 2, isThrough: true })
  expect(progressOf(book(1, 'a', { pageCount: 12 }))).toBeUndefined()
})
