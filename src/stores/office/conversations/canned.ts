import type { CannedAnswer, CannedAnswerForm } from '../../../contract/office-canned-answers.ts'
import * as canned from '../../../contract/office-canned-answers.ts'
import { ask } from '../backend.ts'
import { createLoader } from '../loader.ts'

export type { CannedAnswer, CannedAnswerForm } from '../../../contract/office-canned-answers.ts'

const reading = createLoader<readonly CannedAnswer[]>('canned answers')
/** The canned texts for answers, including retired ones. */
export const $cannedAnswers = reading.$state

const read = () => ask(canned.listCannedAnswers, {})

export const loadCannedAnswers = (): Promise<void> => reading.load(read)

/** Adds one, or changes the one of this revision; reads all again. Throws an `ApiError`. */
export async function saveCannedAnswer(
  form: CannedAnswerForm,
  before: CannedAnswer | null,
): Promise<void> {
  try {
    if (before === null) await ask(canned.addCannedAnswer, { body: form })
    else await change(before, { ...form, isRetired: before.isRetired })
  } finally {
    await reading.refresh(read)
  }
}

/** Retires it, or offers it again. Throws an `ApiError`. */
export async function retireCannedAnswer(answer: CannedAnswer, isRetired: boolean): Promise<void> {
  const { name, text } = answer
  try {
    await change(answer, { name, text, isRetired })
  } finally {
    await reading.refresh(read)
  }
}

function change(
  { id, revision }: CannedAnswer,
  to: CannedAnswerForm & { isRetired: boolean },
): Promise<CannedAnswer> {
  return ask(canned.changeCannedAnswer, { params: { id }, body: { ...to, revision } })
}
