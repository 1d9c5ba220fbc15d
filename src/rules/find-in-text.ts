import { foldQuery, foldText, startsOf } from './search-fold.ts'

/** The longest text to find in a document, in characters. */
export const FIND_TEXT_MAX_LENGTH = 100

export const FINDS_MAX = 100

/** How many characters of a match are shown: words are shown whole, and may be long. */
const MATCH_MAX_LENGTH = 300

/** How many characters before and after a match are shown with it, in whole words. */
const AROUND = 60

const WORD = /[\p{L}\p{M}\p{N}\p{Cf}]+/gu

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
  /** That range folded, with its article. */
  readonly plain: string
}

/**
 * Returns a function that finds a text, within words or across them; null if it has no letter or
 * digit, or more than `FIND_TEXT_MAX_LENGTH` characters. The function returns at most `FINDS_MAX`
 * matches and one more, in a time that grows only with the searched text's length.
 */
export function finderOf(wanted: string): ((text: string) => Found[]) | null {
  if ([...wanted].length > FIND_TEXT_MAX_LENGTH) return null
  const query = foldQuery(wanted)
  const last = query.pop()
  if (last === undefined) return null
  const [typed = last, ...others] = startsOf(last).map((start) => [...query, start].join(' '))
  // The other forms of the typed text are found at the beginnings of words.
  const forms = [typed, ...others.map((other) => ` ${other}`)]
  return (text) => {
    const { folded, words } = fold(text)
    const found: Found[] = []
    let shown = -1
    let word = 0
    const goTo = (place: number) => {
      while ((words[word + 1]?.at ?? Number.POSITIVE_INFINITY) <= place) word++
      return words[word]
    }
    for (const { at, form } of placesOf(forms, folded)) {
      const first = goTo(form === typed ? at : at + 1)
      const end = goTo(at + form.length - 1)
      // A word that contains the text twice is shown once.
      if (!first || !end || first.start === shown) continue
      // A match without the typed article counts only if the word itself begins with that article.
      if (form !== typed && !end.plain.startsWith(last)) continue
      shown = first.start
      found.push(excerpt(text, first.start, end.end))
      if (found.length > FINDS_MAX) break
    }
    return found
  }
}

/** Where any of the forms stands in the folded text, in order and without overlaps. */
function* placesOf(forms: readonly string[], folded: string) {
  const places = forms.map((form) => ({ form, at: folded.indexOf(form) }))
  for (;;) {
    const left = places.filter(({ at }) => at !== -1)
    const first = left.sort((one, other) => one.at - other.at)[0]
    if (!first) return
    yield { ...first }
    const end = first.at + first.form.length
    for (const place of left) {
      if (place.at < end) place.at = folded.indexOf(place.form, end)
    }
  }
}

/** The words of a text, each after a space. */
function fold(text: string): { folded: string; words: Word[] } {
  const words: Word[] = []
  let folded = ''
  for (const { 0: piece, index } of text.matchAll(WORD)) {
    const plain = foldText(piece)
    // Fold it like the search text, which has no lone article.
    for (const word of foldQuery(plain)) {
      folded += ' '
      words.push({ at: folded.length, start: index, end: index + piece.length, plain })
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
    match: oneLine(text.slice(start, Math.min(end, start + MATCH_MAX_LENGTH))),
    after: oneLine(isCut ? (/^.*\s/s.exec(after)?.[0] ?? '') : after).trimEnd(),
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
