import { atom, readonlyType } from 'nanostores'
import type { Document } from '../../contract/catalogue.ts'
import { ask } from '../shared/backend.ts'
import { logOnly, problemOf } from '../shared/problem.ts'

export type { Document } from '../../contract/catalogue.ts'

const $known = atom<Readonly<Record<number, Document | 'missing'>>>({})

/** The documents that conversations mention, by id; those that do not exist are `missing`. */
export const $chatDocuments = readonlyType($known)

const requested = new Set<number>()

/** Loads a document once; a failure is only logged, and the next call tries again. */
export async function loadDocumentOnce(id: number): Promise<void> {
  if (requested.has(id)) return
  requested.add(id)
  try {
    const document = await ask(({ catalogue }) => catalogue.getDocument, { params: { id } })
    $known.set({ ...$known.get(), [id]: document })
  } catch (error) {
    if (problemOf(error).status === 404) $known.set({ ...$known.get(), [id]: 'missing' })
    else requested.delete(id)
    logOnly('document of a conversation')(error)
  }
}
