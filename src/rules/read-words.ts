import {
  isBreak,
  isGlue,
  type Piece,
  piecesOf,
  type Says,
  type Vocabulary,
} from './school-words.ts'

// A text as the words of the school that are in it, and what facts are read from which of them.

/** The part of a text from which a fact was read. */
export interface Part {
  readonly in: 'title' | 'page'
  readonly text: string
  /** Its place in the text, in UTF-16 code units. */
  readonly from: number
  readonly to: number
}

export interface Read<Value> {
  readonly value: Value
  readonly part: Part
  /** Others that say the same or belong to it, such as the section of a class apart from its year. */
  readonly others?: readonly Part[]
}

/** What a text says of a document. What it does not say, or not for sure, is missing. */
export interface ReadFacts {
  readonly classCode?: Read<string>
  readonly subjectCode?: Read<string>
  readonly kind?: Read<string>
  readonly number?: Read<number> & {
    /** As it is written: `01`, `١`, `الأول`. */
    readonly typed: string
  }
  readonly trimester?: Read<number> & {
    /** False where it follows from the number of a control test, which schools count differently. */
    readonly sure: boolean
  }
  /** The first year of a school year; for national examinations the year of the session. */
  readonly year?: Read<number>
  /** The duration. */
  readonly minutes?: Read<number>
  readonly school?: Read<string>
  readonly teacher?: Read<string>
  /** Whether the file has a correction; a correction alone says nothing of that. */
  readonly hasCorrection?: Read<boolean>
}

/** All parts of the text that state a fact. */
export const partsOf = ({ part, others = [] }: Read<unknown>): Part[] => [part, ...others]

export const readFrom = <Value>(
  value: Value,
  part: Part,
  others: readonly Part[],
): Read<Value> => ({ value, part, ...(others.length > 0 && { others }) })

/** The only value of several readings, with the first one's part. */
export function only<Value>(readings: readonly Read<Value>[]): Read<Value> | undefined {
  const [first] = readings
  return first && readings.every(({ value }) => value === first.value) ? first : undefined
}

export interface Reading {
  readonly text: string
  readonly place: Part['in']
  readonly pieces: readonly Piece[]
  /** By piece: whether a fact was read from it. */
  readonly used: boolean[]
  readonly vocabulary: Vocabulary
  readonly isSearch: boolean
}

export function startReading(
  text: string,
  vocabulary: Vocabulary,
  place: Part['in'],
  isSearch: boolean,
): Reading {
  const pieces = piecesOf(text, vocabulary, isSearch)
  return { text, place, pieces, used: pieces.map(() => false), vocabulary, isSearch }
}

/** What a piece says of one thing, if it does. */
export function said<Name extends Says>(piece: Piece | undefined, says: Name) {
  return piece?.meanings.find((meaning) => meaning.says === says) as
    | Extract<Piece['meanings'][number], { says: Name }>
    | undefined
}

export const says = (piece: Piece | undefined, name: Says): boolean =>
  said(piece, name) !== undefined

/** The piece at a place, unless another fact was read from it. */
export const free = ({ pieces, used }: Reading, at: number): Piece | undefined =>
  used[at] ? undefined : pieces[at]

/** The free piece at a place of the same statement as the one before it. */
export function following(reading: Reading, at: number): Piece | undefined {
  const piece = free(reading, at)
  return piece && !isBreak(piece.gap) ? piece : undefined
}

export const isAttached = (piece: Piece | undefined): boolean => piece?.gap === ''

/** Takes pieces from the facts that are read later, and answers their part of the text. */
export function take({ text, place, pieces, used }: Reading, first: number, last: number): Part {
  for (let at = first; at <= last; at++) used[at] = true
  const [from, to] = [pieces[first]?.from ?? 0, pieces[last]?.to ?? 0]
  return { in: place, text: text.slice(from, to), from, to }
}

/** The piece as it is written. */
export const written = ({ text }: Reading, { from, to }: Piece): string => text.slice(from, to)

/** The place of the next piece that is no glue word. */
export function skipGlue(reading: Reading, at: number): number {
  let next = at
  while (isGlue(following(reading, next)?.word ?? '')) next++
  return next
}

export const isSmall = (piece: Piece | undefined): boolean =>
  piece !== undefined && piece.number !== null && piece.to - piece.from <= 2

/** Whether a number is followed by the ending of an ordinal: `9 ème`. */
export function isOrdinal(reading: Reading, at: number): boolean {
  const next = following(reading, at + 1)
  if (!says(next, 'suffix')) return false
  // One or two letters alone may be a word.
  return isAttached(next) || (next?.word.length ?? 0) > 2
}

const YEARS = { first: 1990, last: 2079 } as const

export function isYear(piece: Piece | undefined): piece is Piece & { number: number } {
  if (!piece || piece.number === null || piece.to - piece.from !== 4) return false
  return piece.number >= YEARS.first && piece.number <= YEARS.last
}

export const ROMAN: ReadonlyMap<string, number> = new Map([
  ['I', 1],
  ['II', 2],
  ['III', 3],
  ['IV', 4],
])

/** The words from which nothing was read, without glue beside those that were understood. */
export function leftOver(reading: Reading): string {
  const { text, pieces, used } = reading
  const stretches: string[] = []
  for (let at = 0; at < pieces.length; at++) {
    if (used[at]) continue
    let [first, last] = [at, at]
    while (last + 1 < pieces.length && !used[last + 1]) last++
    at = last
    const isLoose = (place: number) =>
      isGlue(pieces[place]?.word ?? '') || says(pieces[place], 'with')
    if (first > 0) while (first <= last && isLoose(first)) first++
    if (last + 1 < pieces.length) while (last >= first && isLoose(last)) last--
    if (first > last) continue
    stretches.push(text.slice(pieces[first]?.from, pieces[last]?.to))
  }
  return stretches.join(' ').trim()
}
