import { atom, computed, readonlyType } from 'nanostores'
import type { Mark } from '../../contract/marks.ts'
import { LOST_MARKS_MAX } from '../../rules/exam.ts'
import { keepMarks, keptMarks } from '../offline/documents-cache.ts'
import { createLoader } from '../session/loader.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { logOnly, problemOf } from '../shared/problem.ts'
import { $examsOfAll, examsOf, keepExams } from '../user-data/exams.ts'

export type { Mark } from '../../contract/marks.ts'

const loader = createLoader<readonly Mark[]>('marks')
/** The account's marks and those that it does not have yet, the newest exam first. */
export const $marks = loader.$state

export const loadMarks = (): Promise<void> => loader.load(readMarks)
/** While it loads, what is shown stays. */
export const refreshMarks = (): Promise<void> => loader.refresh(readMarks)

async function readMarks(userId: number): Promise<readonly Mark[]> {
  await sendMarks()
  try {
    const marks = await ask(({ marks }) => marks.listMarks, {})
    keepMarks(userId, marks).catch(logOnly('keeping marks'))
    return withUnsent(userId, marks)
  } catch (error) {
    const kept = problemOf(error).status === 0 ? await keptMarks(userId) : null
    const { unsent } = examsOf(userId)
    if (!kept && unsent.length === 0) throw error
    return withUnsent(userId, kept ?? [])
  }
}

function withUnsent(userId: number, marks: readonly Mark[]): readonly Mark[] {
  const { unsent } = examsOf(userId)
  const others = marks.filter(({ id }) => !unsent.some((each) => each.id === id))
  return [...unsent, ...others].toSorted((a, b) => b.satAt.localeCompare(a.satAt))
}

const $full = atom(false)
/** Whether the account has no room for the marks that wait here. */
export const $areMarksFull = readonlyType($full)

/** The titles of papers whose marks the account did not take, such as of one that is gone. */
export const $lostMarks = computed(
  [$session, $examsOfAll],
  (session) => examsOf(session?.userId ?? null).lost,
)

/** Their user has read it. */
export function forgetLostMarks(): void {
  const userId = $session.get()?.userId
  if (userId !== undefined) keepExams(userId, { lost: [] })
}

let sending: Promise<void> | null = null

/**
 * Sends what the server does not have yet; what it refuses for good is dropped, and said
 * (`$lostMarks`). What it has no room for stays here, until marks are deleted.
 */
export function sendMarks(): Promise<void> {
  sending ??= sendAll().finally(() => {
    sending = null
  })
  return sending
}

async function sendAll(): Promise<void> {
  const userId = $session.get()?.userId
  if (userId === undefined) return
  // An account that logs in meanwhile would be given the marks of another.
  const isStillHere = () => $session.get()?.userId === userId
  // Each time the first one that is left: more may be given meanwhile.
  for (let [mark] = examsOf(userId).unsent; mark; [mark] = examsOf(userId).unsent) {
    const { id, documentId, child, quarters, exerciseQuarters, minutes, satAt } = mark
    const body = { documentId, child, quarters, exerciseQuarters, minutes, satAt }
    let isRefused = false
    try {
      await ask(({ marks }) => marks.putMark, { params: { mark: id }, body })
    } catch (error) {
      logOnly('sending a mark')(error)
      const { status, code } = problemOf(error)
      isRefused = status === 400 || status === 404
      if (!isRefused) return $full.set(code === 'marks_full' && isStillHere())
    }
    if (!isStillHere()) return
    // It may have been given anew meanwhile, and is then sent again.
    const sent = JSON.stringify(mark)
    const { unsent, lost } = examsOf(userId)
    keepExams(userId, {
      unsent: unsent.filter((each) => JSON.stringify(each) !== sent),
      ...(isRefused && { lost: [...lost, mark.title].slice(-LOST_MARKS_MAX) }),
    })
  }
  $full.set(false)
}

/** Resolves to whether it is deleted. */
export const removeMark = (id: string): Promise<boolean> =>
  remove(
    (mark) => mark.id !== id,
    () => ask(({ marks }) => marks.removeMark, { params: { mark: id } }),
  )

export const removeMarks = (): Promise<boolean> =>
  remove(
    () => false,
    () => ask(({ marks }) => marks.removeMarks, {}),
  )

async function remove(stays: (mark: Mark) => boolean, tell: () => Promise<unknown>) {
  const userId = $session.get()?.userId
  if (userId === undefined) return false
  try {
    await sending
    if ($session.get()?.userId !== userId) return false
    await tell()
  } catch (error) {
    logOnly('deleting marks')(error)
    return false
  }
  keepExams(userId, { unsent: examsOf(userId).unsent.filter(stays) })
  const state = $marks.get()
  if (state.phase !== 'ready') return true
  const left = state.value.filter(stays)
  loader.show(left)
  keepMarks(userId, left).catch(logOnly('keeping marks'))
  // There may be room now for those that wait.
  void sendMarks()
  return true
}
