import * as s from 'superstruct'
import {
  EXAM_MINUTES_LEAST,
  EXAM_MINUTES_MOST,
  EXERCISES_MAX,
  HIGHEST_MARK,
  isMarkId,
} from '../rules/exam.ts'
import { SHELF_NAME_MAX_CODE_POINTS, shelfNameProblem } from '../rules/library-list.ts'
import { defineCall } from './call.ts'
import { InEachLanguage } from './references.ts'
import { checked, id, moment, nameText, nothing, whole } from './values.ts'

/** The browser makes it up, so that a mark that is sent twice is kept once. */
const markId = checked(s.string(), (value) => (isMarkId(value) ? null : 'pattern'))
/** Quarters of a point. */
const quarters = () => whole(0, HIGHEST_MARK)

const GIVEN = {
  documentId: id(),
  /** First name of the student, since a family has several; '' without one. */
  child: checked(nameText(0, SHELF_NAME_MAX_CODE_POINTS), (name) =>
    name === '' ? null : shelfNameProblem(name),
  ),
  /** The mark out of 20, in quarters of a point. */
  quarters: quarters(),
  /** What it is the sum of, by exercise; null: given as a whole. */
  exerciseQuarters: s.nullable(s.size(s.array(quarters()), 1, EXERCISES_MAX)),
  /** How long the exam was to take. */
  minutes: whole(EXAM_MINUTES_LEAST, EXAM_MINUTES_MOST),
  /** When it began; a time that is yet to come is taken for now. */
  satAt: moment(),
}

/** The subject of a document, as lists name it. */
export const SUBJECT = {
  matiereId: s.nullable(s.number()),
  matiereName: s.string(),
  /** The code by which the interface translates the name. */
  matiereCode: s.nullable(s.string()),
  /** If administrators have written them. */
  matiereNames: s.nullable(InEachLanguage),
}

/** The mark that a student gave for an exam that was sat alone. */
export const Mark = s.type({
  ...GIVEN,
  id: s.string(),
  title: s.string(),
  ...SUBJECT,
})
export type Mark = s.Infer<typeof Mark>

const Given = s.object(GIVEN)
export type GivenMark = s.Infer<typeof Given>

/** The marks of the caller's account, the newest exam first. Nobody else sees them. */
export const listMarks = defineCall('GET /library/marks', 'user', {
  feature: 'exams',
  result: s.array(Mark),
})

/** Keeps a mark of a document that is for sale or was bought; under a known id, in place of that one. */
export const putMark = defineCall('PUT /library/marks/:mark', 'user', {
  feature: 'exams',
  params: s.object({ mark: markId }),
  body: Given,
  result: nothing(),
  errors: ['document_not_found', 'marks_full'],
})

/** It is no error if there is none any more. */
export const removeMark = defineCall('DELETE /library/marks/:mark', 'user', {
  feature: 'exams',
  params: s.object({ mark: markId }),
  result: nothing(),
})

export const removeMarks = defineCall('DELETE /library/marks', 'user', {
  feature: 'exams',
  result: nothing(),
})
