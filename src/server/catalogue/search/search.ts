import type { Kysely } from 'kysely'
import type { DocumentFilters, DocumentPage } from '../../../contract/catalogue.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import { foldQuery } from '../../../rules/search-fold.ts'
import type { Schema } from '../../database/schema.ts'
import { type CatalogueRow, presentDocument } from '../present.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { type Correction, correctedText, correctionOf } from './correction.ts'
import { type Found, findDocuments, partsOfWords, QUERY_WORDS_MAX, typedWords } from './find.ts'
import { firstOf } from './order.ts'
import { type Counts, sift } from './sift.ts'

interface FoundIds {
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

/**
 * Creates the search in the published documents by words, or for a text anywhere: then documents
 * that have the words come first, and those that merely contain the text are searched only if the
 * page has room left. If nothing is found, it searches for the words that are probably meant
 * (docs/shop.md#search).
 */
export function createSearch(
  db: Kysely<Schema>,
  currentIndex: () => Promise<CatalogueIndex>,
  documentsById: (ids: readonly number[]) => Promise<CatalogueRow[]>,
) {
  /** The answers since the last change of the index. */
  let kept: { of: CatalogueIndex; version: number; answers: Map<string, FoundIds> } | undefined

  function search(index: CatalogueIndex, filters: DocumentFilters): FoundIds {
    const { page = 0, size = PAGE_SIZE, ...others } = filters
    const count = (page + 1) * size
    // The wanted number decides whether the text is also searched anywhere.
    const key = JSON.stringify([others, others.match === 'contains' && count])
    const version = index.version()
    if (kept?.of !== index || kept.version !== version || kept.answers.size >= KEPT_ANSWERS) {
      kept = { of: index, version, answers: new Map() }
    }
    let answer = kept.answers.get(key)
    if (!answer || count > KEPT_IDS) {
      answer = answerFor(index, others, count)
      if (count <= KEPT_IDS) kept.answers.set(key, answer)
    }
    return { ...answer, ids: answer.ids.slice(page * size, count) }
  }

  return async (filters: DocumentFilters): Promise<DocumentPage> => {
    const { page = 0, size = PAGE_SIZE, title = '', match = 'words' } = filters
    const { ids, total, facets, correction } = search(await currentIndex(), filters)
    const [rows, spelling] = await Promise.all([
      documentsById(ids),
      correction && correctedText(db, title, correction),
    ])
    return {
      content: rows.map(presentDocument),
      totalPages: Math.ceil(total / size),
      totalElements: total,
      number: page,
      ...(match === 'words' && facets && { facets }),
      ...(correction &&
        spelling && { spelling: { text: spelling, isApplied: correction.isApplied } }),
    }
  }
}

function answerFor(index: CatalogueIndex, filters: DocumentFilters, count: number): FoundIds {
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
