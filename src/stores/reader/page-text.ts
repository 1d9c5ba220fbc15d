import { atom, readonlyType } from 'nanostores'
import { type Passage, passagesOf } from '../../rules/page-passages.ts'
import { fetchPageText } from './pictures.ts'

const $state = atom<{ page: number; passages: readonly Passage[] } | null>(null)
/** The text of the current page, once it is loaded. */
export const $pageText = readonlyType($state)

/**
 * Loads the text of a page; returns a function that discards it. Ignores failures: the picture
 * remains.
 */
export function followPageText(page: number): () => void {
  const controller = new AbortController()
  const show = (text: string) => {
    if (!controller.signal.aborted) $state.set({ page, passages: passagesOf(text) })
  }
  fetchPageText(page, controller.signal).then(show, () => {})
  return () => {
    controller.abort()
    $state.set(null)
  }
}
