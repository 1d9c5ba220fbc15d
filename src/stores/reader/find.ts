import { atom, readonlyType } from 'nanostores'
import type { Find } from '../../contract/reading.ts'
import { ask } from '../shared/backend.ts'
import { problemOf } from '../shared/problem.ts'
import { problemKind, type ReaderProblem } from './problems.ts'

export type { Find } from '../../contract/reading.ts'

/** The search results in the document being read. */
export type Finding =
  | { phase: 'idle' }
  | { phase: 'loading'; text: string }
  | { phase: 'failed'; text: string; problem: ReaderProblem }
  | { phase: 'ready'; text: string; finds: readonly Find[]; hasMore: boolean }

const $state = atom<Finding>({ phase: 'idle' })
export const $finding = readonlyType($state)

/** Finds a text in a document; a blank one shows nothing. */
export async function findText(documentId: number, typed: string): Promise<void> {
  const text = typed.trim()
  if (text === '') return $state.set({ phase: 'idle' })
  const asked: Finding = { phase: 'loading', text }
  $state.set(asked)
  let answer: Finding
  try {
    const { finds, hasMore } = await ask(({ reading }) => reading.findInDocument, {
      params: { id: documentId },
      query: { q: text },
    })
    answer = { phase: 'ready', text, finds, hasMore }
  } catch (error) {
    answer = { phase: 'failed', text, problem: problemKind(problemOf(error)) }
  }
  // The user has typed another text since.
  if ($state.get() === asked) $state.set(answer)
}
