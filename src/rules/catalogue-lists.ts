import { isColour } from './brand.ts'
import { isBlank, normalForm } from './pasted-text.ts'

/**
 * The lists that administrators write; a class is a year of school within one of the levels, a kind one
 * of papers, beside those of `KINDS_OF_CATEGORIES`.
 */
export const LISTS = ['subjects', 'classes', 'categories', 'kinds', 'covers'] as const
export type ListName = (typeof LISTS)[number]

/** The name of each list's entries in the log and in versions: `class 12`. */
export const ENTRY_KINDS = {
  subjects: 'subject',
  classes: 'class',
  categories: 'category',
  kinds: 'kind',
  covers: 'cover',
} as const satisfies Record<ListName, string>
export type EntryKind = (typeof ENTRY_KINDS)[ListName]

/** What the home page features, each in an order of its own. */
export const FEATURED = ['documents', 'teachers'] as const
export type FeaturedKind = (typeof FEATURED)[number]

export const FEATURED_MAX = 24

export const ENTRY_NAME_MAX_LENGTH = 80

/** The most entries of a list, including those that are no longer offered. */
export const ENTRIES_MAX = 200

/** The problem with the name of an entry, or null. */
export function entryNameProblem(text: string): 'required' | 'maxLength' | 'pattern' | null {
  const name = text.trim()
  if (isBlank(name)) return 'required'
  if ([...name].length > ENTRY_NAME_MAX_LENGTH) return 'maxLength'
  return /[\p{Cc}<>]/u.test(name) ? 'pattern' : null
}

/** The problem with the colour of a cover (`#rrggbb` in any case), or null. */
export function coverColorProblem(text: string): 'required' | 'pattern' | null {
  if (isBlank(text)) return 'required'
  return isColour(text.trim().toLowerCase()) ? null : 'pattern'
}

/** The source of a regular expression for a code: the school lists' and those made here. */
export const CODE_PATTERN = '[a-z\\d-]{1,200}'

/**
 * The code of a new entry, by which addresses and lists of documents may name it: its English name in lowercase
 * Latin letters, followed by a number if another entry has that code.
 */
export function entryCode(englishName: string, taken: ReadonlySet<string>): string {
  const plain = normalForm(englishName, 'NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const code = plain.replace(/[^a-z\d]+/g, '-').replace(/^-|-$/g, '') || 'entry'
  if (!taken.has(code)) return code
  let number = 2
  while (taken.has(`${code}-${number}`)) number += 1
  return `${code}-${number}`
}
