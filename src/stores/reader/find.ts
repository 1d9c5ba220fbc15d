import { atom, readonlyType } from 'nanostores'
import type { Find } from '../../contract/reading.ts'
import { ask } from '../shared/backend.ts'
import { problemOf } from '../shared/problem.ts'
import { problemKind, type ReaderProblem } from './reader.ts'

export type { Find } from '../../contract/reading.ts'

export type Finding =
  | { phase: 'idle' }
  | { phase: 'loading'; text: string }
  | { phase: 'failed'; text: string; problem: ReaderProblem }
  | { phase: 'ready'; text: string; finds: readonly Find[]; hasMore: boolean }

const $state = atom<Finding>({ phase: 'idle' })
export const $finding = readonlyType($state)

/** A blank text clears the results; the one that is being looked for is not looked for again. */
export async function findText(documentId: number, input: string): Promise<void> {
  const text = input.trim()
  if (text === '') return $state.set({ phase: 'idle' })
  const current = $state.get()
  if (current.phase === 'loading' && current.text === text) return
  const request: Finding = { phase: 'loading', text }
  $state.set(request)
  let result: Finding
  try {
    const { finds, hasMore } = await ask(({ reading }) => reading.findInDocument, {
      params: { id: documentId },
      query: { q: text },
    })
    result = { phase: 'ready', text, finds, hasMore }
  } catch (error) {
    result = { phase: 'failed', text, problem: problemKind(problemOf(error)) }
  }
  // Ignores the result if the user has started another search since.
  if ($state.get() === request) $state.set(result)
}
