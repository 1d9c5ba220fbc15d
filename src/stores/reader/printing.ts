import { atom, readonlyType } from 'nanostores'
import { PAGE_WIDTHS } from '../../rules/reading.ts'
import { fetchPage } from './pictures.ts'

export type Printing =
  | { phase: 'idle' }
  | { phase: 'loading'; done: number; of: number }
  | { phase: 'failed' }
  | { phase: 'ready'; urls: readonly string[] }

const $state = atom<Printing>({ phase: 'idle' })
/** The print job; `ready` once all its pictures are loaded. */
export const $printing = readonlyType($state)

let controller = new AbortController()
let urls: string[] = []

/** Loads the widest pictures of the pages from `first` to `last`, one after another. */
export async function preparePages(first: number, last: number): Promise<void> {
  cancelPrinting()
  controller = new AbortController()
  const { signal } = controller
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

export function cancelPrinting(): void {
  controller.abort()
  for (const url of urls) URL.revokeObjectURL(url)
  urls = []
  $state.set({ phase: 'idle' })
}
