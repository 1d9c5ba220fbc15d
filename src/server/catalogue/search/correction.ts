import { type Kysely, sql } from 'kysely'
import { foldQuery, foldText } from '../../../rules/search-fold.ts'
import { writtenWords } from '../../../rules/search-marks.ts'
import type { Schema } from '../../database/schema.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { type Found, findDocuments, QUERY_WORDS_MAX, typedWords } from './find.ts'
import { correctedWords } from './spelling.ts'

/**
 * A search that finds at most so many documents may contain a mistake; so may a word that at most
 * so many have.
 */
const LITTLE = 2
/** A correction is proposed only if it finds at least so many times as many documents. */
const MUCH_MORE = 10

export interface Correction {
  /** Folded, one for each word of the search. */
  readonly words: readonly string[]
  /** A document that has these words, and so shows their spelling, with the names it is found by. */
  readonly witness: { readonly id: number; readonly names: readonly string[] }
  /** Whether the correction was applied, because the search finds nothing without it. */
  readonly isApplied: boolean
}

/**
 * The correction of a search that found `count` documents, and the documents that it finds; null if
 * none is needed or found.
 */
export function correctionOf(
  index: CatalogueIndex,
  title: string,
  count: number,
): { correction: Correction; found: Found } | null {
  if (count > LITTLE) return null
  const typed = foldText(title)
    .split(' ')
    .filter((word) => foldQuery(word).length > 0)
    .slice(0, QUERY_WORDS_MAX)
  const words = correctedWords(index, typed)
  if (!words) return null
  if (count > 0 && !isRare(index, typed, words)) return null
  const found = findDocuments(index, typedWords(index, words))
  const { slots, scores } = found
  if (slots.length === 0 || slots.length < count * MUCH_MORE) return null
  const best = slots.reduce((one, other) =>
    (scores[other] as number) > (scores[one] as number) ? other : one,
  )
  const witness = { id: index.columns().ids[best] as number, names: index.namesOf(best) }
  return { correction: { words, witness, isApplied: count === 0 }, found }
}

/** Whether hardly any document has each of the words that would be replaced. */
function isRare(
  { vocabulary, isInNames }: CatalogueIndex,
  typed: readonly string[],
  words: readonly string[],
): boolean {
  return typed.every((word, at) => {
    const [folded = ''] = foldQuery(word)
    const number = vocabulary.numberOf(folded)
    if (folded === words[at] || number === undefined) return true
    return vocabulary.slotsOf(number).length <= LITTLE && !isInNames(number)
  })
}

/**
 * The search with its corrected words, each spelled as in the witness, and its other words as
 * typed.
 */
export async function correctedText(
  db: Kysely<Schema>,
  title: string,
  { words, witness }: Correction,
): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    SELECT concat_ws(' ', d.title, t.first_name, t.last_name, t.latin_name) AS text
    FROM documents d JOIN teachers t ON t.id = d.teacher_id WHERE d.id = ${witness.id}`.execute(db)
  const spellings = writtenWords([rows[0]?.text ?? '', ...witness.names].join(' '))
  const typed = writtenWords(title).filter((word) => foldQuery(word).length > 0)
  const written = words.map((word, at) => {
    const isIt = (other: string | undefined) => other !== undefined && foldQuery(other)[0] === word
    return isIt(typed[at]) ? typed[at] : (spellings.find(isIt) ?? word)
  })
  return written.join(' ')
}
