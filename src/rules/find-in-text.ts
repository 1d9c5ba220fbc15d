import { foldQuery, foldText, startsOf } from './search-fold.ts'

/** The longest text to find in a document, in characters. */
export const FIND_TEXT_MAX_LENGTH = 100

/** How many matches in a document are shown. */
export const FINDS_MAX = 100

/** How many characters before and after a match are shown with it, in whole words. */
const AROUND = 60

const WORD = /[\p{L}\p{M}\p{N}\p{Cf}]+/gu

/** A match in a text, with some words before and after it. */
export interface Found {
  readonly before: string
  readonly match: string
  readonly after: string
}

interface Word {
  /** Where the word begins in the folded text. */
  readonly at: number
  /** The range of the original text that the word stands for. */
  readonly start: number
  readonly end: number
}

/**
 * Returns a function that finds a text, within words or across them; null if it has no letter or
 * digit. The function returns at most `FINDS_MAX` matches and one more, in a time that grows only
 * with the searched text's length.
 */
export function finderOf(wanted: string): ((text: string) => Found[]) | null {
  const query = foldQuery(wanted)
  const last = query.pop()
  if (last === undefined) return null
  // Folded texts contain only letters, digits and spaces, so the pattern needs no escapes.
  const [typed = last, ...others] = startsOf(last).map((start) => [...query, start].join(' '))
  const pattern = new RegExp([typed, ...others.map((other) => `(?:^| )(${other})`)].join('|'), 'gu')
  return (text) => {
    const { folded, words } = fold(text)
    const found: Found[] = []
    let shown = -1
    let word = 0
    const goTo = (place: number) => {
      while ((words[word + 1]?.at ?? Number.POSITIVE_INFINITY) <= place) word++
      return words[word]
    }
    for (const { 0: match, 1: bare, 2: other = bare, index } of folded.matchAll(pattern)) {
      const first = goTo(match.startsWith(' ') ? index + 1 : index)
      const end = goTo(index + match.length - 1)
      // A word that contains the text twice is shown once.
      if (!first || !end || first.start === shown) continue
      // A match without the typed article counts only if the word itself begins with that article.
      if (other && !foldText(text.slice(end.start, end.end)).startsWith(last)) continue
      shown = first.start
      found.push(excerpt(text, first.start, end.end))
      if (found.length > FINDS_MAX) break
    }
    return found
  }
}

function fold(text: string): { folded: string; words: Word[] } {
  const words: Word[] = []
  let folded = ''
  for (const { 0: piece, index } of text.matchAll(WORD)) {
    // Fold it like the search text, which has no lone article.
    for (const word of foldQuery(piece)) {
      if (folded !== '') folded += ' '
      words.push({ at: folded.length, start: index, end: index + piece.length })
      folded += word
    }
  }
  return { folded, words }
}

function excerpt(text: string, start: number, end: number): Found {
  const from = Math.max(0, start - AROUND)
  const before = text.slice(from, start)
  const after = text.slice(end, end + AROUND)
  const isCut = end + AROUND < text.length
  return {
    before: oneLine(from > 0 ? before.replace(/^\S*/, '') : before).trimStart(),
    match: oneLine(text.slice(start, end)),
    after: oneLine(isCut ? after.replace(/\S*$/, '') : after).trimEnd(),
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
