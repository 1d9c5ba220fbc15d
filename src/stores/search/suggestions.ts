export const SEARCH_DEBOUNCE_MS = 300

/** A document as far as a suggestion needs it. */
export interface FoundDocument {
  id: number
  title: string
}

/** What the search box knows: the text that was asked for, and the documents of an answer. */
export interface SearchAnswer {
  /** Trimmed; `''` asks for nothing. */
  text: string
  /** `null` while the answer is under way, empty when it did not come. */
  documents: readonly FoundDocument[] | null
}

/** Looks documents up; ends early when `signal` is aborted. */
export type FindDocuments = (text: string, signal: AbortSignal) => Promise<readonly FoundDocument[]>

const findInShop: FindDocuments = async (text, signal) => {
  const { findDocuments } = await import('../../client/search.ts')
  return findDocuments(text, signal)
}

/**
 * Asks for the documents of a text while it is typed: 300 ms after the last letter,
 * never twice in a row for the same text. The latest text wins, and failures are only logged.
 */
export function createSuggester(show: (answer: SearchAnswer) => void, find = findInShop) {
  let requested = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let control: AbortController | undefined

  const look = async (text: string) => {
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
    /** The text as it stands in the box now. */
    type(typed: string): void {
      const text = typed.trim()
      clearTimeout(timer)
      if (text !== '') {
        timer = setTimeout(look, SEARCH_DEBOUNCE_MS, text)
        return
      }
      control?.abort()
      requested = ''
      show({ text: '', documents: [] })
    },
    /** No answer is wanted any more. */
    stop(): void {
      clearTimeout(timer)
      control?.abort()
      requested = ''
    },
  }
}
