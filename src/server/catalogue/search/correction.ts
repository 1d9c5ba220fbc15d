import { type Kysely, sql } from 'kysely'
import { foldQuery, foldText, withoutArticle } from '../../../rules/search-fold.ts'
import { writtenWords } from '../../../rules/search-marks.ts'
import { replacedLetters, undoneSlips } from '../../../rules/search-words.ts'
import type { Schema } from '../../database/schema.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import {
  type Found,
  findDocuments,
  QUERY_WORDS_MAX,
  type SearchedWord,
  typedWords,
} from './find.ts'

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

/** The most words of a search that are corrected. */
const CORRECTED_WORDS_MAX = 6
/** The shortest beginning of a word in which a mistake is corrected, in letters. */
const BEGINNING_MIN = 4
/** The most words of the catalogue that are considered for one word. */
const MEANT_MAX = 400
/** The most documents found by likely words that decide which of these are meant. */
const WITNESSES_MAX = 400

/**
 * The folded words that a search probably means: with one mistake corrected in the words that the
 * catalogue does not know, else in one word, else in all. null if no document has such words.
 * `typed` are folded words with their articles, which may contain mistakes as well.
 */
function correctedWords(index: CatalogueIndex, typed: readonly string[]): string[] | null {
  const words = typed.map(withoutArticle)
  const exact = typedWords(index, words)
  const unknown = [...exact.keys()].filter(
    (at) => exact[at]?.numbers.length === 0 && !exact[at].isOptional,
  )
  if (unknown.length > CORRECTED_WORDS_MAX) return null
  const near = new Map<number, Meant>()
  const meantBy = (at: number) => {
    const known = near.get(at)
    if (known) return known
    const meant = nearWords(index, typed[at] as string, at === words.length - 1)
    near.set(at, meant)
    return meant
  }

  /** Corrects these words, trying likelier kinds of mistakes first. */
  const attempt = (mistaken: readonly number[]): { words: string[]; weight: number } | null => {
    for (const kind of ['slips', 'replaced', 'beginnings'] as const) {
      const searched = exact.map((one, at) =>
        mistaken.includes(at) ? { numbers: meantBy(at)[kind]() } : one,
      )
      const found = findDocuments(index, searched)
      if (found.slots.length > 0) return likeliest(index, words, { searched, mistaken, found })
    }
    return null
  }

  if (unknown.length > 0) {
    const corrected = attempt(unknown)
    if (corrected) return corrected.words
  }
  const others = [...words.keys()].filter((at) => !unknown.includes(at) && !exact[at]?.isOptional)
  const oneMore = others
    .slice(0, CORRECTED_WORDS_MAX)
    .flatMap((at) => attempt([...unknown, at]) ?? [])
  const best = oneMore.sort((a, b) => b.weight - a.weight)[0]
  return best?.words ?? null
}

/**
 * By kind of mistake: the numbers of the words that may be meant; each kind includes those before
 * it.
 */
type Meant = Record<'slips' | 'replaced' | 'beginnings', () => number[]>

const ARABIC = /\p{Script=Arabic}/u

function nearWords(index: CatalogueIndex, typed: string, isLast: boolean): Meant {
  const { vocabulary, isInNames } = index
  // A letter of the other script would be a slip of the keyboard, which has its own proposal.
  const isArabic = ARABIC.test(typed)
  const alphabet = vocabulary.letters().filter((letter) => ARABIC.test(letter) === isArabic)
  const numbersOf = (texts: readonly string[]) =>
    texts.flatMap((text) => {
      const number = vocabulary.numberOf(withoutArticle(text))
      if (number === undefined) return []
      return vocabulary.slotsOf(number).length > 0 || isInNames(number) ? [number] : []
    })
  const once = <Value>(make: () => Value) => {
    let made: { value: Value } | undefined
    return () => {
      made ??= { value: make() }
      return made.value
    }
  }
  const bare = withoutArticle(typed)
  // A mistake in the article hides it: both forms are tried.
  const undone = once(() => [
    ...undoneSlips(typed, alphabet),
    ...(bare === typed ? [] : undoneSlips(bare, alphabet)),
  ])
  const slips = once(() => unique(numbersOf(undone())))
  const replaced = once(() => unique([...slips(), ...numbersOf(replacedLetters(bare, alphabet))]))
  const beginnings = once(() => {
    if (!isLast) return replaced()
    const begun = undone()
      .map(withoutArticle)
      .filter((text) => text.length >= BEGINNING_MIN)
      .flatMap((text) => vocabulary.startingWith(text).slice(0, MEANT_MAX))
    return unique([...replaced(), ...begun]).slice(0, MEANT_MAX)
  })
  return { slips, replaced, beginnings }
}

/** The most likely of all words that may be meant: the best and most documents have them together. */
function likeliest(
  index: CatalogueIndex,
  typed: readonly string[],
  {
    searched,
    mistaken,
    found: { slots, scores },
  }: { searched: readonly SearchedWord[]; mistaken: readonly number[]; found: Found },
): { words: string[]; weight: number } {
  const { vocabulary } = index
  const meant = mistaken.map((at) => [at, new Set(searched[at]?.numbers)] as const)
  const known = new Map<string, { weight: number; words: string[] }>()
  let best = { weight: 0, words: [...typed] }
  for (const slot of slots.slice(0, WITNESSES_MAX)) {
    const wordsOfSlot = index.wordsOf(slot)
    const words = [...typed]
    for (const [at, numbers] of meant) {
      words[at] = vocabulary.wordOf(wordsOfSlot.find((one) => numbers.has(one)) as number)
    }
    const key = words.join(' ')
    const same = known.get(key) ?? { weight: 0, words }
    same.weight += scores[slot] as number
    known.set(key, same)
    if (same.weight > best.weight) best = same
  }
  return best
}

function unique(numbers: readonly number[]): number[] {
  return [...new Set(numbers)]
}
