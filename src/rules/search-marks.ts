import { searchedPart } from './pasted-text.ts'
import { foldQuery, foldText, foldWords, startsOf } from './search-fold.ts'

/** A written word: letters with their marks and tatweel, or digits. */
const WORD = /\p{L}[\p{L}\p{M}\p{Cf}\u0640\u0674]*|\p{N}+/gu
/** Characters that belong to the letter before them. */
const MARKS = /^[\p{M}\p{Cf}\u0640\u0674]+/u

/**
 * The longest word of which a part is marked, in UTF-16 code units; finding the part folds each of
 * the word's beginnings.
 */
const PARTLY_MARKED_MAX_LENGTH = 100

export function writtenWords(text: string): string[] {
  return text.match(WORD) ?? []
}

/** A piece of a text; `isMarked` if it matches a search. */
interface MarkedPiece {
  readonly text: string
  readonly isMarked: boolean
}

/**
 * Splits the text into pieces and marks those that a search for `query` matches: its words in any
 * spelling, the last one as the beginning of a word, or anywhere in a word if `anywhere`. The
 * joined pieces are the text.
 */
export function markMatches(text: string, query: string, { anywhere = false } = {}): MarkedPiece[] {
  const wanted = foldQuery(searchedPart(query))
  const ranges = [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const range = matchIn(word, wanted, anywhere)
    return range ? [{ from: index + range.from, to: index + range.to }] : []
  })
  const pieces: MarkedPiece[] = []
  let end = 0
  for (const { from, to } of ranges) {
    if (from > end) pieces.push({ text: text.slice(end, from), isMarked: false })
    pieces.push({ text: text.slice(from, to), isMarked: true })
    end = to
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMarked: false })
  return pieces
}

function matchIn(
  word: string,
  wanted: readonly string[],
  anywhere: boolean,
): { from: number; to: number } | null {
  const [folded] = foldWords(word)
  if (folded === undefined) return null
  const whole = { from: 0, to: word.length }
  if (wanted.includes(folded)) return whole
  const start = startsOf(wanted.at(-1) ?? '').find((one) => one && folded.startsWith(one))
  if (start && word.length > PARTLY_MARKED_MAX_LENGTH) return whole
  if (start) {
    const begins = (part: string) => {
      const [beginning = ''] = foldWords(part)
      return startsOf(beginning).some((one) => one.startsWith(start))
    }
    return { from: 0, to: endOf(word, begins) }
  }
  if (!anywhere) return null
  const plain = foldText(word)
  const inside = wanted.find((one) => plain.includes(one))
  if (inside === undefined) return null
  if (word.length > PARTLY_MARKED_MAX_LENGTH) return whole
  const to = endOf(word, (part) => foldText(part).includes(inside))
  let from = to
  for (const { index } of [...word.slice(0, to).matchAll(/\P{M}/gu)].reverse()) {
    from = index
    if (foldText(word.slice(index, to)).includes(inside)) break
  }
  return { from, to }
}

/**
 * The end of the shortest beginning of a word for which `holds` is true, including the marks that
 * follow.
 */
function endOf(word: string, holds: (part: string) => boolean): number {
  let to = 0
  for (const letter of word) {
    to += letter.length
    if (holds(word.slice(0, to))) break
  }
  return to + (MARKS.exec(word.slice(to))?.[0].length ?? 0)
}
