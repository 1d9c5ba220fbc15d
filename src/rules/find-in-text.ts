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
  /** The word folded, with its article. */
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
    // A match without the typed article counts only if the word itself begins with that article.
    const counts = ({ at, form }: Place) =>
      form === typed || wordAt(words, at + form.length - 1)?.plain.startsWith(last) === true
    const found: Found[] = []
    let shown = -1
    for (const { at, form } of placesOf(forms, folded, counts)) {
      const first = wordAt(words, form === typed ? at : at + 1)
      const end = wordAt(words, at + form.length - 1)
      // A word that contains the text twice is shown once.
      if (!first || !end || first.start === shown) continue
      shown = first.start
      found.push(excerpt(text, first.start, end.end))
      if (found.length > FINDS_MAX) break
    }
    return found
  }
}

interface Place {
  readonly form: string
  readonly at: number
}

/** Where any of the forms is in the folded text and counts, in order and without overlaps. */
function* placesOf(
  forms: readonly string[],
  folded: string,
  counts: (place: Place) => boolean,
): Generator<Place> {
  const places = forms.map((form) => ({ form, at: folded.indexOf(form) }))
  for (;;) {
    const left = places.filter(({ at }) => at !== -1)
    const first = left.sort((one, other) => one.at - other.at)[0]
    if (!first) return
    const { form, at } = first
    if (counts(first)) {
      yield { form, at }
      const end = at + form.length
      for (const place of left) {
        if (place.at < end) place.at = folded.indexOf(place.form, end)
      }
    } else {
      first.at = folded.indexOf(form, at + 1)
    }
  }
}

/** The word in which a place of the folded text is, by halving; undefined if there is none. */
function wordAt(words: readonly Word[], place: number): Word | undefined {
  let [low, high] = [0, words.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((words[middle]?.at ?? 0) <= place) low = middle
    else high = middle
  }
  return words[low]
}

/** The words of a text, each after a space. */
function fold(text: string): { folded: string; words: Word[] } {
  const words: Word[] = []
  let folded = ''
  for (const { 0: piece, index } of text.matchAll(WORD)) {
    // A letter beside a number begins a word of its own.
    for (const plain of foldText(piece).split(' ')) {
      // Fold it like the search text, which has no lone article.
      for (const word of foldQuery(plain)) {
        folded += ' '
        words.push({ at: folded.length, start: index, end: index + piece.length, plain })
        folded += word
      }
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
