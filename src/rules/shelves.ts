import { foldText } from './search-fold.ts'

/**
 * The maximum number of a family's shelves: names, mostly of children, under which it groups bought
 * documents.
 */
export const SHELVES_MAX = 12
/** In characters as people count them, so marks and joined forms do not count separately. */
export const SHELF_NAME_MAX_LENGTH = 30
/** The limit of a name in code points, of which a visible character may have several. */
export const SHELF_NAME_MAX_CODE_POINTS = 4 * SHELF_NAME_MAX_LENGTH
/** How many documents one call may put on a shelf, and how many it may take off. */
export const SHELVED_AT_ONCE_MAX = 500

/** The problem with a name, as `plainName` returns it, or null. */
export function shelfNameProblem(name: string): 'required' | 'maxLength' | 'pattern' | null {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return 'pattern'
  if (!/[\p{L}\p{N}\p{S}\p{P}]/u.test(name)) return name === '' ? 'required' : 'pattern'
  if (name.length > 2 * SHELF_NAME_MAX_CODE_POINTS) return 'maxLength'
  const { length } = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(name)]
  return length > SHELF_NAME_MAX_LENGTH || [...name].length > SHELF_NAME_MAX_CODE_POINTS
    ? 'maxLength'
    : null
}

/** Whether two names are the same apart from spelling. */
export function isSameShelfName(one: string, other: string): boolean {
  return one === other || (foldText(one) !== '' && foldText(one) === foldText(other))
}
