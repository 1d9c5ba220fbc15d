import { atom, readonlyType } from 'nanostores'
import type { Document } from '../../contract/catalogue.ts'
import { logOnly, problemOf } from '../shared/problem.ts'

/** Creates the store of the documents that conversations mention; `read` loads each once. */
export function createMentioned(read: (id: number) => Promise<Document>) {
  const $known = atom<Readonly<Record<number, Document | 'missing'>>>({})
  const requested = new Set<number>()
  return {
    /** By id; those that do not exist are `missing`. */
    $documents: readonlyType($known),
    /** Loads a document once; a failure is only logged, and the next call tries again. */
    async loadDocument(id: number): Promise<void> {
      if (requested.has(id)) return
      requested.add(id)
      try {
        const document = await read(id)
        // Read the store again: other documents may have been loaded meanwhile.
        $known.set({ ...$known.get(), [id]: document })
      } catch (error) {
        if (problemOf(error).status === 404) $known.set({ ...$known.get(), [id]: 'missing' })
        else requested.delete(id)
        logOnly('document of a conversation')(error)
      }
    },
  }
}
