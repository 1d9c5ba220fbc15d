import { PRICE_BANDS } from '../../../rules/price-bands.ts'
import { foldWords } from '../../../rules/search-fold.ts'
import { openVocabulary } from './vocabulary.ts'

/** A document as the index reads it. */
export interface IndexedRow {
  readonly id: number
  readonly isPublished: boolean
  readonly title: string
  readonly subject: string
  /** Its folded words: of the title, the subject and the teacher, in this order. */
  readonly searchText: string
  readonly level: string
  readonly niveauId: number
  readonly matiereId: number
  readonly categoryId: number
  readonly type: string
  readonly teacherId: number
  readonly price: number
  readonly rating: number
  readonly sales: number
  /** Milliseconds since 1970. */
  readonly uploadedAt: number
}

/** What documents are filtered and counted by; of each document a small number, its value's. */
export const FACETS = [
  'level',
  'niveauId',
  'matiereId',
  'categoryId',
  'type',
  'price',
  'rating',
] as const
export type Facet = (typeof FACETS)[number]

export type CatalogueIndex = ReturnType<typeof createIndex>

/**
 * The published documents in memory, for searches. A document has a slot; where its words change it gets
 * another one, and the old slot is dead.
 */
export function createIndex() {
  const vocabulary = openVocabulary()
  const slotOf = new Map<number, number>()
  const ids: number[] = []
  const alive: boolean[] = []
  const texts: string[] = []
  /** The numbers of all words, document after document; a slot's begin at `wordsFrom`. */
  const words: number[] = []
  const wordsFrom: number[] = [0]
  const titleWords: number[] = []
  const subjectWords: number[] = []
  const prices: number[] = []
  const sales: number[] = []
  const ratings: number[] = []
  const moments: number[] = []
  const teachers: number[] = []
  const codes = Object.fromEntries(FACETS.map((name) => [name, [] as number[]])) as Record<
    Facet,
    number[]
  >
  const values = Object.fromEntries(FACETS.map((name) => [name, openValues()])) as Record<
    Facet,
    ReturnType<typeof openValues>
  >
  // Bands and stars are their own numbers.
  for (const { id } of PRICE_BANDS) values.price.codeOf(id)
  for (const stars of [0, 1, 2, 3, 4, 5]) values.rating.codeOf(stars)
  const foldedSubjects = new Map<string, number>()
  let dead = 0
  let version = 0

  function wordCount(subject: string): number {
    const known = foldedSubjects.get(subject)
    if (known !== undefined) return known
    const count = foldWords(subject).length
    foldedSubjects.set(subject, count)
    return count
  }

  /** Takes over a document as it is now. */
  function put(row: IndexedRow): void {
    version++
    const known = slotOf.get(row.id)
    if (known !== undefined && (!row.isPublished || texts[known] !== row.searchText)) {
      alive[known] = false
      texts[known] = ''
      dead++
      slotOf.delete(row.id)
    }
    if (!row.isPublished) return
    const slot = slotOf.get(row.id) ?? place(row)
    prices[slot] = row.price
    sales[slot] = row.sales
    ratings[slot] = row.rating
    moments[slot] = row.uploadedAt
    teachers[slot] = row.teacherId
    for (const name of ['level', 'niveauId', 'matiereId', 'categoryId', 'type'] as const) {
      codes[name][slot] = values[name].codeOf(row[name])
    }
    codes.price[slot] = PRICE_BANDS.findIndex(({ max }) => max === null || row.price < max)
    codes.rating[slot] = Math.floor(row.rating)
  }

  /** A new slot with the document's words. */
  function place({ id, title, subject, searchText }: IndexedRow): number {
    const slot = ids.push(id) - 1
    slotOf.set(id, slot)
    alive.push(true)
    texts.push(searchText)
    titleWords.push(foldWords(title).length)
    subjectWords.push(wordCount(subject))
    for (const word of searchText.split(' ')) {
      if (word !== '') words.push(vocabulary.add(word, slot))
    }
    wordsFrom.push(words.length)
    return slot
  }

  return {
    vocabulary,
    put,
    /** Whether so many slots are dead that a new index is better. */
    isWornOut: () => dead > 1000 + slotOf.size,
    /** Rises with every change. */
    version: () => version,
    /** How many slots there are, dead ones included. */
    size: () => ids.length,
    ids,
    alive,
    words,
    wordsFrom,
    titleWords,
    subjectWords,
    prices,
    sales,
    ratings,
    moments,
    teachers,
    codes,
    values,
  }
}

/** Numbers for the values of a filter, from 0. */
function openValues() {
  const codes = new Map<string | number, number>()
  const values: (string | number)[] = []
  return {
    values,
    /** The number of a value, which gets one. */
    codeOf(value: string | number): number {
      const known = codes.get(value)
      if (known !== undefined) return known
      codes.set(value, values.length)
      return values.push(value) - 1
    },
    /** The number of a value; -1 where no document has it. */
    find: (value: string | number): number => codes.get(value) ?? -1,
  }
}
