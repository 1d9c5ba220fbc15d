import * as s from 'superstruct'
import {
  CANNED_NAME_MAX_LENGTH,
  CANNED_TEXT_MAX_LENGTH,
  hasKnownPlaceholders,
} from '../rules/canned-answers.ts'
import { DEFAULT_LANGUAGE, inEachLanguage, type Language } from '../rules/languages.ts'
import { defineCall } from './call.ts'
import { byId, checked, id, nameText, text } from './values.ts'

/** Only the Arabic words are required. */
const shortest = (language: Language) => (language === DEFAULT_LANGUAGE ? 1 : 0)
const Name = (language: Language) => nameText(shortest(language), CANNED_NAME_MAX_LENGTH)
const Text = (language: Language) =>
  checked(text(shortest(language), CANNED_TEXT_MAX_LENGTH), (value) =>
    hasKnownPlaceholders(value) ? null : 'placeholder',
  )

/** By language; an empty text is replaced by the Arabic one. Texts may contain `{{name}}`. */
const texts = {
  name: s.object(inEachLanguage(Name)),
  text: s.object(inEachLanguage(Text)),
}

/** A short text from which staff compose answers. */
export const CannedAnswer = s.type({
  id: id(),
  revision: s.integer(),
  ...texts,
  isRetired: s.boolean(),
})
export type CannedAnswer = s.Infer<typeof CannedAnswer>

export const CannedAnswerForm = s.object(texts)
export type CannedAnswerForm = s.Infer<typeof CannedAnswerForm>

/** All canned answers, in the order in which they were added, including retired ones. */
export const listCannedAnswers = defineCall('GET /office/admin/canned-answers', 'admin', {
  result: s.array(CannedAnswer),
})

export const addCannedAnswer = defineCall('POST /office/admin/canned-answers', 'admin', {
  body: CannedAnswerForm,
  result: CannedAnswer,
})

/**
 * Changes, retires or restores a canned answer; `done_before` if it no longer has that revision.
 */
export const changeCannedAnswer = defineCall('PUT /office/admin/canned-answers/:id', 'admin', {
  params: byId,
  body: s.object({ ...texts, isRetired: s.boolean(), revision: s.integer() }),
  result: CannedAnswer,
  errors: ['canned_answer_not_found', 'done_before'],
})
