import type { SearchPage } from '../../rules/suggestions.ts'

export const SEARCH_DEBOUNCE_MS = 300

/** The part of a document that a suggestion needs. */
export interface FoundDocument {
  id: number
  title: string
  /** The text that found it, if that is not the typed one. */
  meant?: string
}

/** The text that was searched for, and the documents of the answer. */
export interface SearchAnswer {
  /** Trimmed; `''` searches for nothing. */
  text: string
  /** `null` while the answer is pending, empty if it failed. */
  documents: readonly FoundDocument[] | null
}

/** Searches for documents; stops when `signal` is aborted. */
type FindDocuments = (text: string, signal: AbortSignal) => Promise<readonly FoundDocument[]>

const findInShop: FindDocuments = async (text, signal) => {
  const { findDocuments } = await import('../../client/search.ts')
  return findDocuments(text, signal)
}

/** The pages that can be suggested in a language; none if they cannot be loaded, which is logged. */
export async function loadSearchPages(locale: string): Promise<readonly SearchPage[]> {
  try {
    const { findPages } = await import('../../client/search.ts')
    return await findPages(locale)
  } catch (error) {
    console.warn('no pages to suggest:', error)
    return []
  }
}

/**
 * Creates a search for documents while the visitor types: it runs 300 ms after the last letter, and
 * never twice in a row for the same text. The latest text wins; failures are only logged.
 */
export function createSuggester(show: (answer: SearchAnswer) => void, find = findInShop) {
  let requested = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let control: AbortController | undefined

  const search = async (text: string) => {
    if (text === requested) return
    requested = text
    control?.abort()
    const current = new AbortController()
    control = current
    show({ text, documents: null })
    let documents: readonly FoundDocument[] = []
    try {
      documents = await find(text, current.signal)
    } catch (error) {
      if (!current.signal.aborted) console.warn('no documents to suggest:', error)
    }
    if (!current.signal.aborted) show({ text, documents })
  }

  return {
    /** Reports the current text of the box. */
    type(typed: string): void {
      const text = typed.trim()
      clearTimeout(timer)
      if (text !== '') {
        timer = setTimeout(search, SEARCH_DEBOUNCE_MS, text)
        return
      }
      control?.abort()
      requested = ''
      show({ text: '', documents: [] })
    },
    /** Stops all searches. */
    stop(): void {
      clearTimeout(timer)
      control?.abort()
      requested = ''
    },
  }
}
