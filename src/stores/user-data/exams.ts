import type { Mark } from '../../contract/marks.ts'
import { type Exam, isMarkId, readExam } from '../../rules/exam.ts'
import { EXAM_PREFIX } from '../../rules/storage-keys.ts'
import { persistedMap } from '../shared/persistence.ts'

/** What this browser keeps of a user's exams. */
export interface KeptExams {
  /** The one that is being sat or marked. */
  readonly exam: Exam | null
  /** Marks that the server does not have yet, by when they were given. */
  readonly unsent: readonly Mark[]
  /** The titles of papers whose marks the account did not take, until their user has read so. */
  readonly lost: readonly string[]
  /** First names that were given here, the last one first. */
  readonly children: readonly string[]
}

const NOTHING: KeptExams = { exam: null, unsent: [], lost: [], children: [] }

/**
 * By user id. It survives the expiry of a token, is shown only to its user, and is deleted at log-out
 * (`forget-chat.ts`).
 */
export const $examsOfAll = persistedMap(EXAM_PREFIX, read)

export const examsOf = (userId: number | null): KeptExams =>
  (userId !== null && $examsOfAll.get()[userId]) || NOTHING

export function keepExams(userId: number, change: Partial<KeptExams>): void {
  const kept = { ...examsOf(userId), ...change }
  const { exam, unsent, lost, children } = kept
  const isEmpty = !exam && [unsent, lost, children].every((list) => list.length === 0)
  $examsOfAll.setKey(String(userId), isEmpty ? undefined : kept)
}

function read(value: unknown): KeptExams | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { exam, unsent, lost, children } = value as Record<string, unknown>
  return {
    exam: readExam(exam),
    unsent: Array.isArray(unsent) ? unsent.filter(isMark) : [],
    lost: textsIn(lost),
    children: textsIn(children),
  }
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

/** Stored data of any shape would break the page that shows it. */
const isMark = (value: Partial<Mark> | null): value is Mark =>
  isMarkId(value?.id) &&
  Number.isSafeInteger(value.quarters) &&
  typeof value.satAt === 'string' &&
  !Number.isNaN(Date.parse(value.satAt)) &&
  [value.child, value.title, value.matiereName].every((text) => typeof text === 'string') &&
  (value.exerciseQuarters === null || Array.isArray(value.exerciseQuarters))
