import { foldWords } from '../../rules/search-fold.ts'

/** What of a document can be found by its words (docs/shop.md#search). */
export interface Searchable {
  readonly title: string
  readonly subject: string
  readonly teacher: string
}

/**
 * The stored form that a search looks into: ` word word … `, folded. The space at both ends lets
 * `% word %` find whole words and `% wor%` prefixes, the first and last words included.
 */
export function searchText({ title, subject, teacher }: Searchable): string {
  return ` ${[title, subject, teacher].flatMap(foldWords).join(' ')} `
}
