import { foldQuery, foldText, foldWords, startsOf } from './search-fold.ts'

/** A word as it is written: letters with their marks and tatweel, or digits. */
const WORD = /\p{L}[\p{L}\p{M}\p{Cf}\u0640\u0674]*|\p{N}+/gu
/** What belongs to the letter before it. */
const MARKS = /^[\p{M}\p{Cf}\u0640\u0674]+/u

/** The words of a text as they are written. */
export function writtenWords(text: string): string[] {
  return text.match(WORD) ?? []
}

/** A piece of a text; `isMarked` where a search has found it. */
export interface MarkedPiece {
  readonly text: string
  readonly isMarked: boolean
}

/**
 * The text in pieces, of which those are marked that a search for `query` matches: its words whatever their
 * spelling, the last one as the beginning of a word, or anywhere in one if `anywhere`. Together the pieces
 * are the text.
 */
export function markMatches(text: string, query: string, { anywhere = false } = {}): MarkedPiece[] {
  const wanted = foldQuery(query)
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

/** The part of a written word that the search matches; null: none. */
function matchIn(
  word: string,
  wanted: readonly string[],
  anywhere: boolean,
): { from: number; to: number } | null {
  const [folded] = foldWords(word)
  if (folded === undefined) return null
  if (wanted.includes(folded)) return { from: 0, to: word.length }
  const start = startsOf(wanted.at(-1) ?? '').find((one) => one && folded.startsWith(one))
  if (start) {
    const begins = (part: string) => {
      const [beginning = ''] = foldWords(part)
      return startsOf(beginning).some((one) => one.startsWith(start))
    }
    return { from: 0, to: endOf(word, begins) }
  }
  if (!anywhere) return null
  const inside = wanted.find((one) => foldText(word).includes(one))
  if (inside === undefined) return null
  const to = endOf(word, (part) => foldText(part).includes(inside))
  let from = to
  for (const { index } of [...word.slice(0, to).matchAll(/\P{M}/gu)].reverse()) {
    from = index
    if (foldText(word.slice(index, to)).includes(inside)) break
  }
  return { from, to }
}

/** Where the shortest beginning of a word ends for which `holds`, with the marks that follow. */
function endOf(word: string, holds: (part: string) => boolean): number {
  let to = 0
  for (const letter of word) {
    to += letter.length
    if (holds(word.slice(0, to))) break
  }
  return to + (MARKS.exec(word.slice(to))?.[0].length ?? 0)
}
