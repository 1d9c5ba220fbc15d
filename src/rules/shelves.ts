import { foldText } from './search-fold.ts'

/** A family's shelves: names, mostly of children, under which it keeps documents that it bought. */
export const SHELVES_MAX = 12
/** In characters as people count them: marks and joined forms are part of theirs. */
export const SHELF_NAME_MAX_LENGTH = 30
/** What a name may take beyond what people count as characters. */
const LONGEST_IN_CODE_POINTS = 4 * SHELF_NAME_MAX_LENGTH
/** How many documents one call puts on a shelf, and how many it takes off. */
export const SHELVED_AT_ONCE_MAX = 500

// Line ends, control characters, and what turns the direction of the text after it.
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u

/** What is wrong with a trimmed name; null if nothing. */
export function shelfNameProblem(name: string): 'required' | 'maxLength' | 'pattern' | null {
  if (UNSEEN.test(name)) return 'pattern'
  if (!/[\p{L}\p{N}\p{S}\p{P}]/u.test(name)) return name === '' ? 'required' : 'pattern'
  if (name.length > 2 * LONGEST_IN_CODE_POINTS) return 'maxLength'
  const { length } = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(name)]
  return length > SHELF_NAME_MAX_LENGTH || [...name].length > LONGEST_IN_CODE_POINTS
    ? 'maxLength'
    : null
}

/** Whether two names are one, whatever the spelling. */
export function isSameShelfName(one: string, other: string): boolean {
  return one === other || (foldText(one) !== '' && foldText(one) === foldText(other))
}
