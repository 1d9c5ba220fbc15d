import { atom, readonlyType } from 'nanostores'
import { PAGE_WIDTHS } from '../../rules/reading.ts'
import { fetchPage } from './pictures.ts'

/** Pages on their way to the printer. */
export type Printing =
  | { phase: 'idle' }
  | { phase: 'loading'; done: number; of: number }
  | { phase: 'failed' }
  | { phase: 'ready'; urls: readonly string[] }

const $state = atom<Printing>({ phase: 'idle' })
/** The pages that are to be printed, once all their pictures are there. */
export const $printing = readonlyType($state)

let ending = new AbortController()
let urls: string[] = []

/** Fetches the widest pictures of the pages from `first` to `last`, one after the other. */
export async function preparePages(first: number, last: number): Promise<void> {
  cancelPrinting()
  ending = new AbortController()
  const { signal } = ending
  const width = Math.max(...PAGE_WIDTHS)
  const of = last - first + 1
  try {
    for (let page = first; page <= last; page++) {
      $state.set({ phase: 'loading', done: page - first, of })
      const bytes = await fetchPage({ page, width }, signal)
      signal.throwIfAborted()
      urls.push(URL.createObjectURL(bytes))
    }
    $state.set({ phase: 'ready', urls })
  } catch {
    if (!signal.aborted) $state.set({ phase: 'failed' })
  }
}

/** Stops, and lets go of the pictures. */
export function cancelPrinting(): void {
  ending.abort()
  for (const url of urls) URL.revokeObjectURL(url)
  urls = []
  $state.set({ phase: 'idle' })
}
