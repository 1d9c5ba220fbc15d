import type { CannedAnswer, CannedAnswerForm } from '../../../contract/office-canned-answers.ts'
import * as canned from '../../../contract/office-canned-answers.ts'
import { getPerson, type PersonView } from '../../../contract/office-people.ts'
import { createMentioned } from '../../chat/mentioned.ts'
import { ask } from '../backend.ts'
import { createChoiceLoader, createLoader } from '../loader.ts'

const customerLoader = createChoiceLoader<PersonView>('customer of a conversation')
export const $customer = customerLoader.$state

export const loadCustomer = (id: number): Promise<void> =>
  customerLoader.load(() => ask(getPerson, { params: { id } }))

export type { CannedAnswer, CannedAnswerForm } from '../../../contract/office-canned-answers.ts'

const loader = createLoader<readonly CannedAnswer[]>('canned answers')
export const $cannedAnswers = loader.$state

const read = () => ask(canned.listCannedAnswers, {})

export const loadCannedAnswers = (): Promise<void> => loader.load(read)

/** Adds an answer, or changes `before`; then reloads all answers. Throws an `ApiError`. */
export async function saveCannedAnswer(
  form: CannedAnswerForm,
  before: CannedAnswer | null,
): Promise<void> {
  try {
    if (before === null) await ask(canned.addCannedAnswer, { body: form })
    else await change(before, { ...form, isRetired: before.isRetired })
  } finally {
    await loader.refresh(read)
  }
}

export async function retireCannedAnswer(answer: CannedAnswer, isRetired: boolean): Promise<void> {
  const { name, text } = answer
  try {
    await change(answer, { name, text, isRetired })
  } finally {
    await loader.refresh(read)
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
