import { DOCUMENT_CHAPTERS_MAX } from '../../../rules/document-fields.ts'
import { filedAs, PAPER_FACETS, withProvenFacts } from '../../../rules/papers.ts'
import { PRICE_BANDS } from '../../../rules/price-bands.ts'
import { STARS } from '../../../rules/rating.ts'
import { foldWords } from '../../../rules/search-fold.ts'
import { NAMED_LISTS, type NamedList, soundOf } from '../../../rules/search-words.ts'
import type { SchoolWords } from '../../deps.ts'
import { NO_SCHOOL_WORDS } from './school-vocabulary.ts'
import type { EntryTexts } from './search-text.ts'

/** A document in the form in which it is added to the index. */
export interface IndexedRow {
  readonly id: number
  readonly isPublished: boolean
  readonly title: string
  /** Its folded words: those of the title and the teacher, in this order. */
  readonly searchText: string
  readonly level: string
  readonly niveauId: number
  readonly matiereId: number
  readonly categoryId: number
  readonly type: string
  readonly paperKind: string | null
  readonly paperNumber: string | null
  readonly trimester: string | null
  readonly schoolYear: number | null
  readonly withCorrection: 'true' | null
  readonly chapterIds: readonly number[]
  readonly teacherId: number
  readonly price: number
  readonly rating: number
  readonly sales: number
  /** Milliseconds since 1970. */
  readonly uploadedAt: number
}

/**
 * The properties by which documents are filtered and counted; the index stores a small number for
 * each value.
 */
export const FACETS = [
  'level',
  'niveauId',
  'matiereId',
  'categoryId',
  'type',
  ...PAPER_FACETS,
  'price',
  'rating',
] as const
export type Facet = (typeof FACETS)[number]

/** The facets that every document has by a single value. */
const GIVEN = ['level', 'niveauId', 'matiereId', 'categoryId', 'type'] as const

/** The facets that are determined by a single value of a document. */
export const CODED = [...GIVEN, ...PAPER_FACETS] as const

/** The column that refers to an entry of each list by whose names documents are found. */
const REFERENCES = { subjects: 'matiereId', kinds: 'categoryId', classes: 'niveauId' } as const

/** The chapters of a document have as many places, one after the other; 0 is an empty one. */
const PLACES = DOCUMENT_CHAPTERS_MAX

/** An entry of a list: its texts, and the numbers of their folded words. */
interface NamedEntry {
  readonly texts: readonly string[]
  readonly words: readonly number[]
}

/** The stored data of all documents, by slot. */
function makeColumns(length: number) {
  return {
    ids: new Int32Array(length),
    /** 0 for a dead slot. */
    alive: new Uint8Array(length),
    /**
     * Where the words of the document begin in `words`; they end where those of the next slot
     * begin.
     */
    wordsFrom: new Int32Array(length + 1),
    titleWords: new Uint16Array(length),
    prices: new Int32Array(length),
    sales: new Int32Array(length),
    ratings: new Float32Array(length),
    moments: new Float64Array(length),
    teachers: new Int32Array(length),
    level: new Uint16Array(length),
    niveauId: new Uint16Array(length),
    matiereId: new Uint16Array(length),
    categoryId: new Uint16Array(length),
    type: new Uint16Array(length),
    paperKind: new Uint16Array(length),
    /** 1 for an ordinary test, which is found as a control test. */
    isOrdinary: new Uint8Array(length),
    paperNumber: new Uint16Array(length),
    trimester: new Uint16Array(length),
    schoolYear: new Uint16Array(length),
    withCorrection: new Uint16Array(length),
    chapters: new Uint32Array(length * PLACES),
    price: new Uint16Array(length),
    rating: new Uint16Array(length),
  }
}

type Columns = ReturnType<typeof makeColumns>

export type CatalogueIndex = ReturnType<typeof createIndex>

/**
 * The published documents in memory, for searches. Each document has a slot; when its words change
 * it gets another slot, and the old one is dead.
 */
export function createIndex() {
  const vocabulary = openVocabulary()
  const slotOf = new Map<number, number>()
  const values = Object.fromEntries(FACETS.map((name) => [name, openValues()])) as Record<
    Facet,
    ReturnType<typeof openValues>
  >
  // Price bands and stars serve as their own numbers.
  for (const { id } of PRICE_BANDS) values.price.codeOf(id)
  for (const stars of [0, ...STARS]) values.rating.codeOf(stars)
  let columns = makeColumns(1024)
  /** The numbers of all words, one document after the other. */
  let words = new Int32Array(8192)
  let schoolWords = NO_SCHOOL_WORDS
  /** By list and id. */
  let entries: Record<NamedList, Map<number, NamedEntry>> = {
    subjects: new Map(),
    kinds: new Map(),
    classes: new Map(),
  }
  let inNames = new Set<number>()
  let size = 0
  let version = 0

  function put(row: IndexedRow): void {
    version++
    const known = slotOf.get(row.id)
    const isSame = known !== undefined && row.isPublished && hasWords(known, row.searchText)
    if (known !== undefined && !isSame) {
      columns.alive[known] = 0
      slotOf.delete(row.id)
    }
    if (!row.isPublished) return
    const slot = isSame ? known : place(row)
    columns.titleWords[slot] = foldWords(row.title).length
    columns.prices[slot] = row.price
    columns.sales[slot] = row.sales
    columns.ratings[slot] = row.rating
    columns.moments[slot] = row.uploadedAt
    columns.teachers[slot] = row.teacherId
    for (const name of GIVEN) columns[name][slot] = values[name].codeOf(row[name])
    const paper = withProvenFacts(row)
    for (const name of PAPER_FACETS) {
      columns[name][slot] = values[name].codeOf(filedAs(name, paper[name]))
    }
    columns.isOrdinary[slot] = Number(row.paperKind === 'ordinary')
    columns.chapters.fill(0, slot * PLACES, (slot + 1) * PLACES)
    columns.chapters.set(row.chapterIds.slice(0, PLACES), slot * PLACES)
    columns.price[slot] = PRICE_BANDS.findIndex(({ max }) => max === null || row.price < max)
    columns.rating[slot] = Math.floor(row.rating)
  }

  function hasWords(slot: number, searchText: string): boolean {
    const own = words.subarray(columns.wordsFrom[slot], columns.wordsFrom[slot + 1])
    return ` ${Array.from(own, vocabulary.wordOf).join(' ')} ` === searchText
  }

  /** Adds a slot with the document's words, and returns its number. */
  function place({ id, searchText }: IndexedRow): number {
    const slot = size++
    if (size >= columns.ids.length) columns = larger(columns)
    slotOf.set(id, slot)
    columns.ids[slot] = id
    columns.alive[slot] = 1
    let end = columns.wordsFrom[slot] as number
    for (const word of searchText.split(' ')) {
      if (word === '') continue
      if (end === words.length) words = doubled(words)
      words[end++] = vocabulary.add(word, slot)
    }
    columns.wordsFrom[slot + 1] = end
    return slot
  }

  /** Replaces the words by which entries are found. */
  function putEntries(texts: EntryTexts): void {
    version++
    inNames = new Set()
    const read = (list: NamedList) =>
      new Map(
        [...texts[list]].map(([id, names]) => {
          const words = [...new Set(names.flatMap(foldWords))].map(vocabulary.name)
          for (const word of words) inNames.add(word)
          return [id, { texts: names, words }]
        }),
      )
    entries = { subjects: read('subjects'), kinds: read('kinds'), classes: read('classes') }
  }

  function putSchoolWords(words: SchoolWords): void {
    version++
    schoolWords = words
  }

  /** The entries of a list by their codes in the column that refers to them. */
  function entriesByCode(list: NamedList): (NamedEntry | undefined)[] {
    return values[REFERENCES[list]].values.map((id) => entries[list].get(Number(id)))
  }

  /** The subject, the kind and the class of a document. */
  function entriesOf(slot: number): NamedEntry[] {
    return NAMED_LISTS.flatMap((list) => {
      const column = REFERENCES[list]
      const id = values[column].values[columns[column][slot] as number]
      return entries[list].get(Number(id)) ?? []
    })
  }

  return {
    vocabulary,
    values,
    put,
    putEntries,
    putSchoolWords,
    schoolWords: () => schoolWords,
    entriesByCode,
    /** Whether a word is one of a name. */
    isInNames: (word: number) => inNames.has(word),
    /** The names by which a document is found besides its own words. */
    namesOf: (slot: number): string[] => entriesOf(slot).flatMap(({ texts }) => texts),
    /** The numbers of all words by which a document is found. */
    wordsOf: (slot: number): number[] => [
      ...words.subarray(columns.wordsFrom[slot], columns.wordsFrom[slot + 1]),
      ...entriesOf(slot).flatMap((entry) => entry.words),
    ],
    /** Valid until the next `put`. */
    columns: () => columns,
    words: () => words,
    /** The ids of a document's chapters. */
    chaptersOf(slot: number): readonly number[] {
      const { chapters } = columns
      const ids: number[] = []
      for (let place = slot * PLACES; place < (slot + 1) * PLACES; place++) {
        const id = chapters[place] as number
        if (id === 0) break
        ids.push(id)
      }
      return ids
    },
    /** By slot, 1 where the document has the chapter. */
    withChapter(id: number): Uint8Array {
      const having = new Uint8Array(size)
      const { chapters } = columns
      for (let place = 0; place < size * PLACES; place++) {
        if (chapters[place] === id) having[Math.trunc(place / PLACES)] = 1
      }
      return having
    },
    /** The number of slots, including dead ones. */
    size: () => size,
    /** The number of documents. */
    documents: () => slotOf.size,
    /** Whether so many slots are dead that the index should be rebuilt. */
    isWornOut: () => size > 1000 + 2 * slotOf.size,
    /** Increases with every change. */
    version: () => version,
  }
}

function larger(columns: Columns): Columns {
  const copy = makeColumns(columns.ids.length * 2)
  for (const name of Object.keys(columns) as (keyof Columns)[]) copy[name].set(columns[name])
  return copy
}

function doubled(words: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(words.length * 2)
  copy.set(words)
  return copy
}

/** Numbers the values of a filter, from 0. */
function openValues() {
  const codes = new Map<string | number, number>()
  const values: (string | number)[] = []
  return {
    values,
    /** The number of a value; assigns one to a new value. */
    codeOf(value: string | number): number {
      const known = codes.get(value)
      if (known !== undefined) return known
      codes.set(value, values.length)
      return values.push(value) - 1
    },
    /** The number of a value; -1 if no document has it. */
    find: (value: string | number): number => codes.get(value) ?? -1,
  }
}

/**
 * The folded words of the catalogue and of its names, each with a number, and the documents that
 * have them.
 */
function openVocabulary() {
  const words: string[] = []
  const numbers = new Map<string, number>()
  /** By word: the slots of its documents, each once. */
  const slots: number[][] = []
  let sorted: string[] = []
  let unsorted: string[] = []
  const letters = new Set<string>()
  /** The numbers of Arabic words by their sounds, and of how many words these are known. */
  const bySound = new Map<string, number[]>()
  let heard = 0
  /** All words, one per line, with the offset of each; null: has to be rebuilt. */
  let lines: { text: string; starts: Int32Array } | null = null

  /** Adds a word of a name, which no document needs to have, and returns its number. */
  function name(word: string): number {
    const known = numbers.get(word)
    if (known !== undefined) return known
    const number = words.push(word) - 1
    numbers.set(word, number)
    slots.push([])
    unsorted.push(word)
    lines = null
    for (const letter of word) letters.add(letter)
    return number
  }

  /** Adds a document's word, and returns its number. */
  function add(word: string, slot: number): number {
    const number = name(word)
    const known = slots[number] as number[]
    if (known.at(-1) !== slot) known.push(slot)
    return number
  }

  /** The numbers of the words that start with `prefix`, including that word itself. */
  function startingWith(prefix: string): number[] {
    if (unsorted.length > 0) {
      // Two sorted runs: the sort merges them in one pass.
      sorted = [...sorted, ...unsorted.sort()].sort()
      unsorted = []
    }
    const found: number[] = []
    for (let at = firstNotBelow(sorted, prefix); at < sorted.length; at++) {
      const word = sorted[at] as string
      if (!word.startsWith(prefix)) break
      found.push(numbers.get(word) as number)
    }
    return found
  }

  /** The numbers of the Arabic words that sound like one in Latin letters. */
  function soundingLike(word: string): readonly number[] {
    // A misspelt Arabic word is corrected instead.
    if (!/^[a-z]/.test(word)) return []
    for (; heard < words.length; heard++) {
      const known = words[heard] as string
      if (!/^[ء-ي]/.test(known)) continue
      const sound = soundOf(known)
      if (sound === '') continue
      const alike = bySound.get(sound)
      if (alike) alike.push(heard)
      else bySound.set(sound, [heard])
    }
    return bySound.get(soundOf(word)) ?? []
  }

  /** The numbers of the words that contain `part`. */
  function containing(part: string): number[] {
    lines ??= joined(words)
    const { text, starts } = lines
    const found: number[] = []
    let number = 0
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, starts[number])) {
      number = lastNotAbove(starts, at)
      found.push(number)
      number++
      if (number >= words.length) break
    }
    return found
  }

  return {
    name,
    add,
    startingWith,
    soundingLike,
    containing,
    numberOf: (word: string) => numbers.get(word),
    wordOf: (number: number) => words[number] ?? '',
    slotsOf: (number: number): readonly number[] => slots[number] ?? [],
    size: () => words.length,
    /** Every letter and digit of the words. */
    letters: (): readonly string[] => [...letters],
  }
}

function joined(words: readonly string[]): { text: string; starts: Int32Array } {
  const starts = new Int32Array(words.length)
  let at = 0
  for (const [number, word] of words.entries()) {
    starts[number] = at
    at += word.length + 1
  }
  return { text: `${words.join('\n')}\n`, starts }
}

/** The index of the first word that is not before this one. */
function firstNotBelow(sorted: readonly string[], word: string): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((sorted[middle] as string) < word) from = middle + 1
    else to = middle
  }
  return from
}

function lastNotAbove(starts: Int32Array, place: number): number {
  let [from, to] = [0, starts.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((starts[middle] as number) <= place) from = middle + 1
    else to = middle
  }
  return from - 1
}
