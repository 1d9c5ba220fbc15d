import { MINUTE_MS } from './durations.ts'
import { plainSigns } from './pasted-text.ts'
import { pagesOfPaper } from './reading.ts'

// An exam that a student sits with a paper: its clock, what of the paper is open, and the mark.

/** How long an exam may take, in minutes, and what is proposed where the paper does not say. */
export const EXAM_MINUTES_LEAST = 5
export const EXAM_MINUTES_MOST = 600
export const EXAM_MINUTES = 60

/** Points are counted in quarters, in which marks are given; the highest mark, in quarters. */
export const QUARTERS = 4
export const HIGHEST_MARK = 20 * QUARTERS

/** How many marks an account keeps, and of how many exercises a mark may be the sum. */
export const MARKS_MAX = 500
export const EXERCISES_MAX = 12

/** How many marks wait in a browser for an account, and how many titles of refused ones it keeps. */
export const UNSENT_MARKS_MAX = 100
export const LOST_MARKS_MAX = 20

/** The minutes before the end at which a screen reader says the time. */
export const TOLD_MINUTES = [30, 10, 5, 1] as const

/** An exam as this browser keeps it. */
export interface Exam {
  /** The id of the mark that it ends with. */
  readonly id: string
  readonly documentId: number
  readonly minutes: number
  /** First name of the student; '' if none was given. */
  readonly child: string
  /** When it began (ms since 1970). */
  readonly beganAt: number
  /** How many pages are the paper; those after them stay closed until the end. */
  readonly pages: number
  /** At the moment `at` (ms since 1970) so much of the time was over (ms). */
  readonly passed: number
  readonly at: number
  /** Whether the time is over, or the student gave up. */
  readonly isOver: boolean
  /** Whether it is sat with the paper's sample. */
  readonly isSample?: boolean
}

/**
 * How much of an exam's time is over (ms). It goes on while the page is closed and the device sleeps,
 * by the device's clock; and, should that be put back, by `here`: for how long this page has run since
 * `at`. It never goes back, and ends at the exam's own length.
 */
export function timePassed(
  { minutes, passed, at }: Pick<Exam, 'minutes' | 'passed' | 'at'>,
  now: number,
  here = 0,
): number {
  return Math.min(minutes * MINUTE_MS, passed + Math.max(0, now - at, here))
}

/** What is left of an exam's time (ms); 0 once it is over. */
export function timeLeft(exam: Exam, now: number, here = 0): number {
  return exam.isOver ? 0 : exam.minutes * MINUTE_MS - timePassed(exam, now, here)
}

/** The same exam, its clock read now: what happens to the device's clock later changes less. */
export function clockRead(exam: Exam, now: number, here = 0): Exam {
  return { ...exam, passed: timePassed(exam, now, here), at: now }
}

/**
 * The minutes that a screen reader says when what is left falls from `before` to `now` (both ms), or
 * null: after a sleep only the last of them.
 */
export function minutesToTell(before: number, now: number): number | null {
  const due = TOLD_MINUTES.filter((told) => now <= told * MINUTE_MS && told * MINUTE_MS < before)
  return now > 0 ? (due.at(-1) ?? null) : null
}

/** What a clock shows: minutes and seconds, rounded up so that it shows 0 at the end only. */
export function shownTime(left: number): string {
  const seconds = Math.ceil(left / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** The mark that exercises make. */
export const sumOf = (quarters: readonly number[]): number =>
  quarters.reduce((sum, each) => sum + each, 0)

interface Opened<Page> {
  readonly sizes: readonly Page[]
  readonly outline: readonly { readonly page: number }[]
  readonly paper?: { readonly correctionPage: number | null } | undefined
}

/** How many pages of a document are the paper; the others are its correction. */
export const pagesOfExam = ({ sizes, paper }: Opened<unknown>): number =>
  pagesOfPaper(sizes.length, paper?.correctionPage)

/** A document as it is read during an exam: without the pages of the correction. */
export function closedAfter<Reading extends Opened<unknown>>(
  reading: Reading,
  pages: number,
): Reading {
  const { sizes, outline } = reading
  return {
    ...reading,
    sizes: sizes.slice(0, pages),
    outline: outline.filter(({ page }) => page <= pages),
  }
}

/** Minutes as a student types them; null for what is no length of an exam. */
export function readMinutes(typed: string): number | null {
  const plain = plainSigns(typed)
  const minutes = /^\d{1,3}$/.test(plain) ? Number(plain) : 0
  return minutes >= EXAM_MINUTES_LEAST && minutes <= EXAM_MINUTES_MOST ? minutes : null
}

/** Points as a student types them, such as `12,5` or `١٢٫٢٥`, in quarters; null for what is none. */
export function readQuarters(typed: string, most = HIGHEST_MARK): number | null {
  const plain = plainSigns(typed).replace(/[,٫]/, '.')
  const quarters = /^\d{1,2}(?:\.\d{1,2})?$/.test(plain) ? Number(plain) * QUARTERS : -1
  return Number.isInteger(quarters) && quarters >= 0 && quarters <= most ? quarters : null
}

/**
 * The points of exercises as a teacher types them, such as `6 + 7 + 7` or `2,5 · 7,5 · 10`, in quarters;
 * null where one of them is none.
 */
export function pointsIn(typed: string): number[] | null {
  const points = typed
    .split(/[+·;؛/،|\s]+/)
    .map((part) => part.replace(/,$/, ''))
    .filter((part) => part !== '')
    .map((part) => readQuarters(part) ?? 0)
  return points.length > EXERCISES_MAX || points.includes(0) ? null : points
}

/** The same; null unless there are several and they make the highest mark. */
export function readExercisePoints(typed: string): number[] | null {
  const points = pointsIn(typed)
  return points && points.length > 1 && sumOf(points) === HIGHEST_MARK ? points : null
}

/** An exam from stored data of any shape; null if it is none. */
export function readExam(stored: unknown): Exam | null {
  if (typeof stored !== 'object' || stored === null) return null
  const exam = stored as Exam
  const { id, documentId, minutes, child, beganAt, pages, passed, at, isOver, isSample } = exam
  const isExam =
    isMarkId(id) &&
    [documentId, minutes, beganAt, pages].every((each) => Number.isSafeInteger(each) && each > 0) &&
    minutes >= EXAM_MINUTES_LEAST &&
    minutes <= EXAM_MINUTES_MOST &&
    Number.isFinite(new Date(beganAt).getTime()) &&
    [passed, at].every((each) => Number.isFinite(each) && each >= 0) &&
    typeof child === 'string'
  return isExam
    ? {
        ...{ id, documentId, minutes, child, beganAt, pages, passed, at, isOver: isOver === true },
        ...(isSample === true && { isSample }),
      }
    : null
}

/** The ids of marks are made by the browser, so that one is kept once, however often it is sent. */
const MARK_ID = /^[\da-f]{32}$/
export const isMarkId = (id: unknown): id is string => typeof id === 'string' && MARK_ID.test(id)
