import { array, boolean, type Infer, integer, object, type } from 'superstruct'
import {
  CANNED_NAME_MAX_LENGTH,
  CANNED_TEXT_MAX_LENGTH,
  hasKnownPlaceholders,
} from '../rules/canned-answers.ts'
import { inEachLanguage } from '../rules/in-each-language.ts'
import type { Language } from '../rules/languages.ts'
import { defineCall } from './call.ts'
import { checked, id, text } from './values.ts'

/** Only the Arabic words are required. */
const shortest = (language: Language) => (language === 'ar' ? 1 : 0)
const Name = (language: Language) => text(shortest(language), CANNED_NAME_MAX_LENGTH)
const Text = (language: Language) =>
  checked(text(shortest(language), CANNED_TEXT_MAX_LENGTH), (value) =>
    hasKnownPlaceholders(value) ? null : 'placeholder',
  )

/** By language; what is empty is said in Arabic. Texts may hold `{{name}}`. */
const texts = {
  name: object(inEachLanguage(Name)),
  text: object(inEachLanguage(Text)),
}

/** A short text that answers are made of. */
export const CannedAnswer = type({
  id: id(),
  revision: integer(),
  ...texts,
  isRetired: boolean(),
})
export type CannedAnswer = Infer<typeof CannedAnswer>

export const CannedAnswerForm = object(texts)
export type CannedAnswerForm = Infer<typeof CannedAnswerForm>

/** All of them, in the order in which they were added, retired ones too. */
export const listCannedAnswers = defineCall({
  method: 'GET',
  path: '/office/admin/canned-answers',
  caller: 'admin',
  result: array(CannedAnswer),
})

export const addCannedAnswer = defineCall({
  method: 'POST',
  path: '/office/admin/canned-answers',
  caller: 'admin',
  body: CannedAnswerForm,
  result: CannedAnswer,
})

/** Changes, retires or restores one; `done_before` where it is not of that revision any more. */
export const changeCannedAnswer = defineCall({
  method: 'PUT',
  path: '/office/admin/canned-answers/:id',
  caller: 'admin',
  params: object({ id: id() }),
  body: object({ ...texts, isRetired: boolean(), revision: integer() }),
  result: CannedAnswer,
  errors: ['canned_answer_not_found', 'done_before'],
})
