import type { Kysely } from 'kysely'
import type { DocumentFilters, DocumentPage, Sort } from '../../../contract/catalogue.ts'
import { otherLayout } from '../../../rules/keyboard-layout.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import { filedAs, PAPER_FACETS, type PaperFacet } from '../../../rules/papers.ts'
import { foldQuery } from '../../../rules/search-fold.ts'
import { withChatLetters } from '../../../rules/search-words.ts'
import type { Schema } from '../../database/schema.ts'
import { type CatalogueRow, presentDocument } from '../present.ts'
import { type CatalogueIndex, CODED, FACETS, type Facet } from './catalogue-index.ts'
import { type Correction, correctedText, correctionOf } from './correction.ts'
import {
  FACTS,
  type Found,
  findDocuments,
  partsOfWords,
  QUERY_WORDS_MAX,
  typedWords,
} from './find.ts'
import { type Understood, understand } from './understand.ts'

interface FoundIds {
  /** The first ids, in their order. */
  readonly ids: readonly number[]
  readonly total: number
  /** null where they are not asked for. */
  readonly facets: Counts | null
  readonly correction: Correction | null
  readonly understood: readonly Understood[]
}

const KEPT_IDS = 120
const KEPT_ANSWERS = 500

/**
 * Creates the search in the published documents by words, or for a text anywhere: then documents
 * that have the words come first, and those that merely contain the text are searched only if the
 * page has room left. If nothing is found, it searches for the words that are probably meant
 * (docs/shop/pages.md#search).
 */
export function createSearch(
  db: Kysely<Schema>,
  currentIndex: () => Promise<CatalogueIndex>,
  documentsById: (ids: readonly number[]) => Promise<CatalogueRow[]>,
) {
  /** The answers since the last change of the index. */
  let kept: { of: CatalogueIndex; version: number; answers: Map<string, FoundIds> } | undefined

  function search(index: CatalogueIndex, filters: DocumentFilters, typed = ''): FoundIds {
    const { page = 0, size = PAGE_SIZE, ...others } = filters
    const count = (page + 1) * size
    // The wanted number decides whether the text is also searched anywhere.
    const key = JSON.stringify([others, typed, others.match === 'contains' && count])
    const version = index.version()
    if (kept?.of !== index || kept.version !== version || kept.answers.size >= KEPT_ANSWERS) {
      kept = { of: index, version, answers: new Map() }
    }
    let answer = kept.answers.get(key)
    if (!answer || count > KEPT_IDS) {
      answer = answerFor(index, others, typed, count)
      if (count <= KEPT_IDS) kept.answers.set(key, answer)
    }
    return { ...answer, ids: answer.ids.slice(page * size, count) }
  }

  return async (given: DocumentFilters): Promise<DocumentPage> => {
    const { page = 0, size = PAGE_SIZE, match = 'words' } = given
    const title = withChatLetters(given.title ?? '')
    const filters = { ...given, ...(given.title !== undefined && { title }) }
    const index = await currentIndex()
    const { ids, total, facets, correction, understood } = search(index, filters, given.title)
    const [rows, corrected] = await Promise.all([
      documentsById(ids),
      correction && correctedText(db, title, correction),
    ])
    const isUnknown = total === 0 && match === 'words' && !given.literal && !correction
    const meant = isUnknown ? otherLayout(given.title ?? '', wordsKnownTo(index)) : null
    const spelling = corrected ?? meant
    return {
      content: rows.map(presentDocument),
      totalPages: Math.ceil(total / size),
      totalElements: total,
      number: page,
      ...(facets && { facets }),
      ...(understood.length > 0 && { understood: [...understood] }),
      ...(spelling && {
        spelling: { text: spelling, isApplied: correction?.isApplied ?? false },
      }),
    }
  }
}

function answerFor(
  index: CatalogueIndex,
  filters: DocumentFilters,
  typed: string,
  count: number,
): FoundIds {
  const words = wordsOf(filters.title)
  const { sort = words.length > 0 ? 'relevance' : 'newest' } = filters
  const isChosen = filters.sort !== undefined
  const byWords = words.length > 0 ? findText(index, words, { ...filters, count }) : EVERYTHING
  const { found, correction, understood } = withFacts(index, filters, typed, byWords)
  const { slots, counts } = sift(index, filters, found?.slots)
  const wanted = Math.max(count, KEPT_IDS)
  const kind = filters.paperKind ?? understood.find(({ filter }) => filter === 'paperKind')?.value
  const chosen = firstOf(index, slots, {
    ...{ sort, isChosen, scores: found?.scores, count: wanted },
    exact: exactlyOf(index, kind),
  })
  const { ids } = index.columns()
  return {
    ids: Array.from(chosen, (slot) => ids[slot] as number),
    total: slots.length,
    facets: filters.match === 'contains' ? null : counts(),
    correction,
    understood,
  }
}

const wordsOf = (text = '') => foldQuery(text).slice(0, QUERY_WORDS_MAX)

/** Whether a word is one of the catalogue's or of the school's. */
const wordsKnownTo = (index: CatalogueIndex) => (word: string) =>
  index.vocabulary.numberOf(word) !== undefined || index.schoolWords().vocabulary.knows(word)

interface FoundText {
  readonly found: Found | null
  readonly correction: Correction | null
}
const EVERYTHING: FoundText = { found: null, correction: null }

/** Puts the documents that have what the words say as facts before those that have the words. */
function withFacts(
  index: CatalogueIndex,
  filters: DocumentFilters,
  typed: string,
  byWords: FoundText,
): FoundText & { understood: readonly Understood[] } {
  const nothing = { ...byWords, understood: [] }
  if (!byWords.found || filters.match === 'contains' || filters.literal) return nothing
  const read = understand(index, typed)
  if (!read) return nothing
  const words = wordsOf(withChatLetters(read.words))
  const rest = words.length > 0 ? findDocuments(index, typedWords(index, words)) : null
  // The visitor's own filters come later: they are counted with these documents, too.
  const { slots } = sift(index, read.filters, rest?.slots)
  if (sift(index, filters, slots).slots.length === 0) return nothing
  // Words that were corrected were understood as they are.
  const { slots: others, scores } = byWords.correction?.isApplied
    ? { slots: [], scores: new Uint8Array(index.size()) }
    : byWords.found
  for (const slot of slots) scores[slot] = Math.max(FACTS, scores[slot] as number)
  return {
    found: { slots: [...new Set([...slots, ...others])], scores },
    correction: null,
    understood: read.understood,
  }
}

function findText(
  index: CatalogueIndex,
  words: readonly string[],
  { title = '', match, literal, count }: DocumentFilters & { count: number },
): FoundText {
  const typed = findDocuments(index, typedWords(index, words))
  const found =
    match === 'contains' && typed.slots.length < count ? withParts(index, words, typed) : typed
  const corrected = literal ? null : correctionOf(index, title, found.slots.length)
  if (!corrected) return { found, correction: null }
  const { correction } = corrected
  return { found: correction.isApplied ? corrected.found : found, correction }
}

/** Adds the documents that have the words anywhere to those found by words. */
function withParts(index: CatalogueIndex, words: readonly string[], typed: Found): Found {
  const { slots, scores } = findDocuments(index, partsOfWords(index, words))
  const others = slots.filter((slot) => typed.scores[slot] === 0)
  for (const slot of typed.slots) scores[slot] = 100 + (typed.scores[slot] as number)
  return { slots: [...typed.slots, ...others], scores }
}

/** How many documents each value of a filter would give; a missing value gives none. */
type Counts = Record<Facet | 'chapterId', Record<string, number>>

/** An active filter: whether the document in a slot passes it. */
interface Check {
  /** null for a filter whose values are not counted. */
  readonly facet: Facet | 'chapterId' | null
  readonly column: { readonly [slot: number]: number }
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/**
 * The documents that pass every filter, and, to be counted when asked for, how many each filter would
 * give with each other value, the other filters unchanged. `slots`: the documents found by words; the whole catalogue without
 * it.
 */
function sift(
  index: CatalogueIndex,
  filters: DocumentFilters,
  slots: ArrayLike<number> | undefined,
): { slots: Int32Array; counts: () => Counts } {
  const checks = checksOf(index, filters)
  const { alive } = index.columns()
  const total = slots ? slots.length : index.size()
  const passed = new Int32Array(total)
  let passing = 0
  /** By check: the documents that only this one excludes. */
  const kept = checks.map(() => [] as number[])
  for (let at = 0; at < total; at++) {
    const slot = slots ? (slots[at] as number) : at
    if (alive[slot] === 0) continue
    let failed = -1
    let failures = 0
    for (let check = 0; check < checks.length; check++) {
      const { column, from, to } = checks[check] as Check
      const value = column[slot] as number
      if (value >= from && value < to) continue
      failed = check
      failures++
    }
    if (failures === 0) passed[passing++] = slot
    else if (failures === 1) (kept[failed] as number[]).push(slot)
  }
  const found = passed.subarray(0, passing)
  /** The documents that each value of a filter may find. */
  const countedBy = (facet: Facet | 'chapterId') => {
    const others = checks.flatMap((check, at) => (check.facet === facet ? [kept[at] ?? []] : []))
    return [found, ...others]
  }
  const isOfList = filters.niveauId !== undefined && filters.matiereId !== undefined
  const counts = (): Counts => ({
    ...(Object.fromEntries(
      FACETS.map((facet) => [facet, countBy(index, facet, countedBy(facet))]),
    ) as Record<Facet, Record<string, number>>),
    chapterId: isOfList ? countChapters(index, countedBy('chapterId')) : {},
  })
  return { slots: found, counts }
}

const isOfPaper = (facet: Facet): facet is PaperFacet => PAPER_FACETS.some((name) => name === facet)

/** What does not narrow: the text and how it is read, the order, the place in the list. */
type NoFilter = 'title' | 'match' | 'literal' | 'sort' | 'page' | 'size'
type ByRange = 'minPrice' | 'maxPrice' | 'rating' | 'teacherId' | 'chapterId'

function checksOf(index: CatalogueIndex, filters: DocumentFilters): Check[] {
  const columns = index.columns()
  const checks: Check[] = []
  // A new filter does not compile here until it has a column, or is checked by a range of another.
  const coded: Record<Exclude<keyof DocumentFilters, NoFilter | ByRange>, Column> = columns
  for (const facet of CODED) {
    const value = filters[facet]
    if (value === undefined) continue
    const code = index.values[facet].find(isOfPaper(facet) ? filedAs(facet, value) : value)
    checks.push({ facet, column: coded[facet], from: code, to: code + 1 })
  }
  const { minPrice, maxPrice, rating, teacherId, chapterId }: Pick<DocumentFilters, ByRange> =
    filters
  const to = Number.POSITIVE_INFINITY
  if (minPrice !== undefined || maxPrice !== undefined) {
    const band = { from: minPrice ?? 0, to: maxPrice ?? to }
    checks.push({ facet: 'price', column: columns.prices, ...band })
  }
  if (rating !== undefined)
    checks.push({ facet: 'rating', column: columns.rating, from: rating, to })
  if (teacherId !== undefined) {
    checks.push({ facet: null, column: columns.teachers, from: teacherId, to: teacherId + 1 })
  }
  if (chapterId !== undefined) {
    checks.push({ facet: 'chapterId', column: index.withChapter(chapterId), from: 1, to: 2 })
  }
  return checks
}

/** How many of the documents in these slots have each chapter. */
function countChapters(
  index: CatalogueIndex,
  lists: readonly ArrayLike<number>[],
): Record<string, number> {
  const tally: Record<string, number> = {}
  for (const list of lists) {
    for (let at = 0; at < list.length; at++) {
      for (const id of index.chaptersOf(list[at] as number)) tally[id] = (tally[id] ?? 0) + 1
    }
  }
  return tally
}

function countBy(
  index: CatalogueIndex,
  facet: Facet,
  lists: readonly ArrayLike<number>[],
): Record<string, number> {
  const { values } = index.values[facet]
  // No document has it.
  if (values.length === 1 && values[0] === '') return {}
  const column = index.columns()[facet]
  const tally = new Int32Array(values.length)
  for (const list of lists) {
    for (let at = 0; at < list.length; at++) {
      const code = column[list[at] as number] as number
      tally[code] = (tally[code] as number) + 1
    }
  }
  if (facet === 'rating') {
    // Each count means "so many stars or more"; 0 stars is no filter.
    for (let stars = tally.length - 2; stars > 0; stars--) {
      tally[stars] = (tally[stars] as number) + (tally[stars + 1] as number)
    }
    tally[0] = 0
  }
  const counted = values.flatMap((value, code) =>
    tally[code] && value !== '' ? [[String(value), tally[code]] as const] : [],
  )
  return Object.fromEntries(counted)
}

/**
 * 1 for the documents of exactly this kind, of two kinds that are found as one; null for another kind, which
 * is exact in any case.
 */
function exactlyOf(index: CatalogueIndex, kind: string | undefined): Column | null {
  const wanted = ['control', 'ordinary'].indexOf(kind ?? '')
  if (wanted < 0) return null
  const { isOrdinary } = index.columns()
  return Uint8Array.from({ length: index.size() }, (_, slot) => Number(isOrdinary[slot] === wanted))
}

/** Up to this number, slots are chosen without sorting all. */
const CHOSEN_MAX = 120

type Column = { readonly [slot: number]: number }

interface Wanted {
  readonly sort: Sort
  /** Whether a visitor chose the order. */
  readonly isChosen: boolean
  readonly scores: Uint8Array | undefined
  readonly exact: Column | null
  readonly count: number
}

/**
 * The first `count` slots in an order; equal ones by id, newest first, or oldest first when ordered
 * by lowest price. `scores` ranks by relevance, before sales; `exact` goes before an order that nobody chose, but
 * after relevance.
 */
function firstOf(
  index: CatalogueIndex,
  slots: Int32Array,
  { sort, isChosen, scores, exact, count }: Wanted,
): Int32Array {
  const { ids, prices, sales, ratings, moments } = index.columns()
  const exactly = exact ? [exact] : []
  const keys: Record<Sort, readonly Column[]> = {
    relevance: scores ? [scores, ...exactly, sales] : [...exactly, moments],
    newest: [...(isChosen ? [] : exactly), moments],
    price: [prices],
    '-price': [prices],
    rating: [ratings],
    sales: [sales],
  }
  const [first, second = ids, third = ids] = keys[sort] as [Column, Column?, Column?]
  const sign = sort === 'price' ? -1 : 1
  const compare = (a: number, b: number) =>
    sign *
    ((first[b] as number) - (first[a] as number) ||
      (second[b] as number) - (second[a] as number) ||
      (third[b] as number) - (third[a] as number) ||
      (ids[b] as number) - (ids[a] as number))
  if (count > CHOSEN_MAX) return slots.slice().sort(compare).subarray(0, count)

  const best: number[] = []
  let least = Number.NEGATIVE_INFINITY
  for (const slot of slots) {
    // Most slots are not among the first and need no further comparison.
    if (sign * (first[slot] as number) < least) continue
    if (best.length === count && compare(slot, best[count - 1] as number) >= 0) continue
    let [from, to] = [0, best.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (compare(best[middle] as number, slot) < 0) from = middle + 1
      else to = middle
    }
    best.splice(from, 0, slot)
    if (best.length > count) best.pop()
    if (best.length === count) least = sign * (first[best[count - 1] as number] as number)
  }
  return Int32Array.from(best)
}
