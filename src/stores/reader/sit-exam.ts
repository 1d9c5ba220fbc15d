import { atom, readonlyType } from 'nanostores'
import type { Mark } from '../../contract/marks.ts'
import { MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'
import {
  clockRead,
  type Exam,
  minutesToTell,
  pagesOfExam,
  timeLeft,
  UNSENT_MARKS_MAX,
} from '../../rules/exam.ts'
import { shelfNameProblem } from '../../rules/library-list.ts'
import { plainName } from '../../rules/pasted-text.ts'
import { sendMarks } from '../library/marks.ts'
import { readerId } from '../offline/kept.ts'
import { randomId } from '../shared/browser.ts'
import { examsOf, keepExams } from '../user-data/exams.ts'
import { $exam } from './exam.ts'
import type { Reading } from './reader.ts'

// The clock of an exam and its end; loaded when one begins.

/** How often a visible page writes down how much time is over (ms). */
const READ_EVERY_MS = 15 * SECOND_MS

/** How many first names this browser remembers of a user. */
const CHILDREN_MAX = 12

const $left = atom(0)
/** What is left of the exam's time (ms). */
export const $timeLeft = readonlyType($left)

const $minutes = atom(0)
/** The minutes that a screen reader hears: those at the beginning, then those of `TOLD_MINUTES`. */
export const $told = readonlyType($minutes)

/** Another document's exam of the same user, which a new one ends. */
export const otherExam = (documentId: number): Exam | null => {
  const { exam } = examsOf(readerId())
  return exam && exam.documentId !== documentId ? exam : null
}

/** A typed first name; '' for what is none. */
function nameOf(typed: string): string {
  const name = plainName(typed)
  return shelfNameProblem(name) ? '' : name
}

export const knownChildren = (): readonly string[] => examsOf(readerId()).children

export function startExam(reading: Reading, minutes: number, typedName: string): void {
  const userId = readerId()
  if (userId === null) return
  const now = Date.now()
  const child = nameOf(typedName)
  const exam: Exam = {
    ...{ id: randomId(), documentId: reading.documentId, minutes, child },
    ...{ beganAt: now, pages: pagesOfExam(reading), passed: 0, at: now, isOver: false },
    ...(reading.sample && { isSample: true }),
  }
  keepExams(userId, { exam, children: remembered(userId, child) })
}

function remembered(userId: number, child: string): readonly string[] {
  const { children } = examsOf(userId)
  if (child === '') return children
  return [child, ...children.filter((each) => each !== child)].slice(0, CHILDREN_MAX)
}

/** Opens the correction before the time is over. */
export function giveUp(): void {
  change((exam) => ({ ...exam, isOver: true }))
}

/** Ends the exam; its mark, if one was given, stays. */
export function leaveExam(): void {
  change(() => null)
}

function change(next: (exam: Exam) => Exam | null): void {
  const userId = readerId()
  const exam = $exam.get()
  if (userId !== null && exam) keepExams(userId, { exam: next(exam) })
}

/** Runs the clock while a page shows it; returns a function that stops it. */
export function followClock(): () => void {
  // For how long this page has run since the clock was read, whatever the device's clock does.
  let readAt = { at: 0, here: 0 }
  let wasRead = 0
  const here = (exam: Exam): number => {
    if (exam.at !== readAt.at) readAt = { at: exam.at, here: performance.now() }
    return performance.now() - readAt.here
  }

  function tick(): void {
    const exam = $exam.get()
    if (!exam || exam.isOver) return
    const left = timeLeft(exam, Date.now(), here(exam))
    const minutes = minutesToTell($left.get(), left)
    if (minutes !== null) $minutes.set(minutes)
    $left.set(left)
    if (left === 0) giveUp()
    else if (performance.now() - wasRead >= READ_EVERY_MS && document.visibilityState === 'visible')
      read()
  }
  function read(): void {
    wasRead = performance.now()
    change((exam) => (exam.isOver ? exam : clockRead(exam, Date.now(), here(exam))))
  }
  const onVisibility = () => {
    if (document.visibilityState === 'hidden') read()
    else tick()
  }

  const exam = $exam.get()
  $left.set(exam ? timeLeft(exam, Date.now()) : 0)
  $minutes.set(Math.ceil($left.get() / MINUTE_MS))
  tick()
  const timer = setInterval(tick, SECOND_MS)
  addEventListener('pagehide', read)
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    clearInterval(timer)
    removeEventListener('pagehide', read)
    document.removeEventListener('visibilitychange', onVisibility)
  }
}

/**
 * Keeps a mark in this browser, and in the account as soon as there is a network; returns whether this
 * browser has room for it.
 */
export function giveMark(
  { documentId, title, paper }: Reading,
  { child: typedName, ...given }: Pick<Mark, 'quarters' | 'exerciseQuarters' | 'child'>,
): boolean {
  const child = nameOf(typedName)
  const userId = readerId()
  const exam = $exam.get()
  if (userId === null || !exam) return false
  const { id, minutes, beganAt } = exam
  const mark: Mark = {
    ...{ id, documentId, title, child, minutes, ...given },
    satAt: new Date(beganAt).toISOString(),
    matiereId: paper?.matiereId ?? null,
    matiereName: paper?.matiereName ?? '',
    matiereCode: paper?.matiereCode ?? null,
    matiereNames: paper?.matiereNames ?? null,
  }
  const others = examsOf(userId).unsent.filter((each) => each.id !== id)
  if (others.length >= UNSENT_MARKS_MAX) return false
  const unsent = [...others, mark]
  keepExams(userId, { exam: { ...exam, child }, unsent, children: remembered(userId, child) })
  void sendMarks()
  return true
}
