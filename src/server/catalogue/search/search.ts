import type { Kysely } from 'kysely'
import type { DocumentFilters, DocumentPage } from '../../../contract/catalogue.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import { foldQuery } from '../../../rules/search-fold.ts'
import type { Schema } from '../../database/schema.ts'
import { documentsById, SHELF_MAX } from '../documents.ts'
import type { DocumentRow } from '../present.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { type Correction, correctedText, correctionOf } from './correction.ts'
import { type Found, findDocuments, partsOfWords, QUERY_WORDS_MAX, typedWords } from './find.ts'
import { currentIndex } from './follow.ts'
import { firstOf } from './order.ts'
import { type Counts, sift } from './sift.ts'

type Extra = Pick<DocumentPage, 'facets' | 'spelling'>

/** A page of the catalogue, before it is presented. */
export interface SearchResult extends Extra {
  readonly rows: DocumentRow[]
  readonly total: number
  readonly page: number
  readonly size: number
}

/**
 * Searches the published documents by words, or for a text anywhere: then documents that have the
 * words come first, and those that merely contain the text are searched only if the page has room
 * left. If nothing is found, searches for the words that are probably meant (docs/shop.md#search).
 */
export async function searchCatalogue(
  db: Kysely<Schema>,
  filters: DocumentFilters,
): Promise<SearchResult> {
  const { page = 0, size = PAGE_SIZE, title = '', match = 'words' } = filters
  const { ids, total, facets, correction } = search(await currentIndex(db), filters)
  const [rows, spelling] = await Promise.all([
    documentsById(db, ids),
    correction && correctedText(db, title, correction),
  ])
  return {
    rows,
    total,
    page,
    size,
    ...(match === 'words' && { facets }),
    ...(correction &&
      spelling && { spelling: { text: spelling, isApplied: correction.isApplied } }),
  }
}

/** The documents sold most often. */
export async function topSellingDocuments(db: Kysely<Schema>): Promise<DocumentRow[]> {
  const { rows } = await searchCatalogue(db, { sort: 'sales', size: SHELF_MAX })
  return rows
}

interface Answer {
  /** The first ids, in their order. */
  readonly ids: readonly number[]
  readonly total: number
  readonly facets: Counts
  readonly correction: Correction | null
}

/** The number of ids of an answer that are kept for its next pages. */
const KEPT_IDS = 120
/** The number of answers that are kept. */
const KEPT_ANSWERS = 500

/** The answers since the last change of the index. */
const kept = new WeakMap<CatalogueIndex, { version: number; answers: Map<string, Answer> }>()

function search(index: CatalogueIndex, filters: DocumentFilters): Answer {
  const { page = 0, size = PAGE_SIZE, ...others } = filters
  const count = (page + 1) * size
  // The wanted number decides whether the text is also searched anywhere.
  const key = JSON.stringify([others, others.match === 'contains' && count])
  let known = kept.get(index)
  if (known?.version !== index.version() || known.answers.size >= KEPT_ANSWERS) {
    known = { version: index.version(), answers: new Map() }
    kept.set(index, known)
  }
  let answer = known.answers.get(key)
  if (!answer || count > KEPT_IDS) {
    answer = answerFor(index, others, count)
    if (count <= KEPT_IDS) known.answers.set(key, answer)
  }
  return { ...answer, ids: answer.ids.slice(page * size, count) }
}

function answerFor(index: CatalogueIndex, filters: DocumentFilters, count: number): Answer {
  const words = foldQuery(filters.title ?? '').slice(0, QUERY_WORDS_MAX)
  const { sort = words.length > 0 ? 'relevance' : 'newest' } = filters
  const { found, correction } =
    words.length > 0 ? findText(index, words, { ...filters, count }) : EVERYTHING
  const { slots, counts } = sift(index, filters, found?.slots)
  const wanted = Math.max(count, KEPT_IDS)
  const chosen = firstOf(index, slots, { sort, scores: found?.scores, count: wanted })
  const { ids } = index.columns()
  return {
    ids: Array.from(chosen, (slot) => ids[slot] as number),
    total: slots.length,
    facets: counts,
    correction,
  }
}

const EVERYTHING: { found: Found | null; correction: Correction | null } = {
  found: null,
  correction: null,
}

function findText(
  index: CatalogueIndex,
  words: readonly string[],
  { title = '', match, literal, count }: DocumentFilters & { count: number },
): typeof EVERYTHING {
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
