import type { CannedAnswer, CannedAnswerForm } from '../../../contract/office-canned-answers.ts'
import * as canned from '../../../contract/office-canned-answers.ts'
import { getPerson } from '../../../contract/office-people.ts'
import { createMentioned } from '../../../stores/chat/mentioned.ts'
import { ask } from '../../kit/backend.ts'
import { resource, resourceFor } from '../../kit/loader.ts'

export const customerOf = resourceFor(getPerson, (id: number) => ({ params: { id } }))

export type { CannedAnswer, CannedAnswerForm } from '../../../contract/office-canned-answers.ts'

export const cannedAnswers = resource(canned.listCannedAnswers)

/** Adds an answer; then reloads all, even if it failed. Throws an `ApiError`. */
export const addCannedAnswer = (body: CannedAnswerForm) =>
  ask(canned.addCannedAnswer, { body }).finally(cannedAnswers.refresh)

/** Changes an answer, as it was shown, likewise. */
export const changeCannedAnswer = (
  { id, revision, name, text, isRetired }: CannedAnswer,
  change: Partial<CannedAnswerForm & { isRetired: boolean }>,
) => {
  const body = { name, text, isRetired, ...change, revision }
  return ask(canned.changeCannedAnswer, { params: { id }, body }).finally(cannedAnswers.refresh)
}

/** The documents that customers' messages mention; the catalogue's calls come with the first. */
export const { $documents, loadDocument } = createMentioned(async (id) => {
  const { getDocument } = await import('../../../contract/catalogue.ts')
  return ask(getDocument, { params: { id } })
})
