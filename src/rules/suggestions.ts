import type { FixedPath } from './pages.ts'
import { searchedPart } from './pasted-text.ts'
import { containsFolded } from './search-fold.ts'

export const SUGGESTIONS_MAX = 5

/**
 * A page that the search box suggests: its path, and its titles in the visitor's language and the
 * others.
 */
export type SearchPage = { path: FixedPath; title: string; otherTitles?: readonly string[] }

export type Suggestion<Titled extends { title: string }> =
  | { type: 'page'; title: string; path: FixedPath }
  | { type: 'document'; title: string; document: Titled }

/**
 * The suggestions of the search box: pages whose title contains the text, then the documents that
 * the catalogue found for it, at most `SUGGESTIONS_MAX`. Blank text suggests nothing.
 */
export function suggest<Titled extends { title: string }>(
  text: string,
  pages: readonly SearchPage[],
  documents: readonly Titled[],
): Suggestion<Titled>[] {
  if (text.trim() === '') return []
  const wanted = searchedPart(text)
  const found: Suggestion<Titled>[] = [
    ...pages
      .filter((page) => titlesOf(page).some((title) => containsFolded(title, wanted)))
      .map(({ title, path }) => ({ type: 'page' as const, title, path })),
    ...documents.map((document) => ({
      type: 'document' as const,
      title: document.title,
      document,
    })),
  ]
  return found.slice(0, SUGGESTIONS_MAX)
}

type EnterTarget = { kind: 'page'; path: FixedPath } | { kind: 'shop'; search: string }

/** The destination of Enter: the page whose title is exactly the trimmed text, else the shop. */
export function enterTarget(text: string, pages: readonly SearchPage[]): EnterTarget {
  const search = text.trim()
  const page = pages.find((candidate) => titlesOf(candidate).includes(search))
  return page ? { kind: 'page', path: page.path } : { kind: 'shop', search }
}

function titlesOf({ title, otherTitles = [] }: SearchPage): string[] {
  return [title, ...otherTitles]
}
