import { atom, readonlyType } from 'nanostores'
import { type Passage, passagesOf } from '../../rules/page-passages.ts'
import { fetchPageText } from './pictures.ts'

const $state = atom<{ page: number; passages: readonly Passage[] } | null>(null)
/** What is written on the page that is read, once it is there. */
export const $pageText = readonlyType($state)

/** Fetches what is written on a page; returns what lets go of it. A page without is still a picture. */
export function followPageText(page: number): () => void {
  const ending = new AbortController()
  const show = (text: string) => {
    if (!ending.signal.aborted) $state.set({ page, passages: passagesOf(text) })
  }
  fetchPageText(page, ending.signal).then(show, () => {})
  return () => {
    ending.abort()
    $state.set(null)
  }
}
