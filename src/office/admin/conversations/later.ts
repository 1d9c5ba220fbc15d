import type { CannedAnswer, CannedAnswerForm } from '../../../contract/office-canned-answers.ts'
import * as canned from '../../../contract/office-canned-answers.ts'
import { getPerson } from '../../../contract/office-people.ts'
import { createMentioned } from '../../../stores/chat/mentioned.ts'
import { ask } from '../../kit/backend.ts'
import { resource, resourceFor } from '../../kit/loader.ts'

export const { $state: $customer, load: loadCustomer } = resourceFor(getPerson, (id: number) => ({
  params: { id },
}))

export type { CannedAnswer, CannedAnswerForm } from '../../../contract/office-canned-answers.ts'

const answers = resource(canned.listCannedAnswers)
export const { $state: $cannedAnswers, load: loadCannedAnswers } = answers

/** Adds an answer, or changes `before`; then reloads all answers. Throws an `ApiError`. */
export async function saveCannedAnswer(
  form: CannedAnswerForm,
  before: CannedAnswer | null,
): Promise<void> {
  try {
    if (before === null) await ask(canned.addCannedAnswer, { body: form })
    else await change(before, { ...form, isRetired: before.isRetired })
  } finally {
    await answers.refresh()
  }
}

export async function retireCannedAnswer(answer: CannedAnswer, isRetired: boolean): Promise<void> {
  const { name, text } = answer
  try {
    await change(answer, { name, text, isRetired })
  } finally {
    await answers.refresh()
  }
}

function change(
  { id, revision }: CannedAnswer,
  values: CannedAnswerForm & { isRetired: boolean },
): Promise<CannedAnswer> {
  return ask(canned.changeCannedAnswer, { params: { id }, body: { ...values, revision } })
}

/** The documents that customers' messages mention; the catalogue's calls come with the first. */
export const { $documents, loadDocument } = createMentioned(async (id) => {
  const { getDocument } = await import('../../../contract/catalogue.ts')
  return ask(getDocument, { params: { id } })
})
