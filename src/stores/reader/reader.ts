import { atom, readonlyType } from 'nanostores'
import type { Reading } from '../../contract/reading.ts'
import { $session } from '../account/session.ts'
import { dropToken, tokenToSend } from '../account/token.ts'
import { $lastRead } from '../account/user-data.ts'
import { keepOn } from '../offline/keep-document.ts'
import { dropDocument, keptPage, keptReading } from '../offline/kept.ts'
import { readerWithoutSession } from '../offline/phone.ts'
import { ask } from '../shared/backend.ts'
import { logOnly, type ProblemCode, problemOf, Refusal } from '../shared/problem.ts'
import { followPictures, forgetPictures } from './pictures.ts'
import { beginAt, followPlace } from './place.ts'
import { problemKind, type ReaderProblem } from './problems.ts'

export type { Reading } from '../../contract/reading.ts'
export type { ReaderProblem } from './problems.ts'

export type Reader =
  | { phase: 'loading' }
  | { phase: 'failed'; problem: ReaderProblem }
  | { phase: 'shown'; reading: Reading; isKept: boolean }

const LOADING = { phase: 'loading' } as const

const $state = atom<Reader>(LOADING)
/** The document that is read. */
export const $reader = readonlyType($state)

/** Reads the id of a document from the path of the reader's page; null where it names none. */
export function documentIdIn(path: string): number | null {
  const [, digits] = /\/read\/([1-9]\d{0,8})$/.exec(path) ?? []
  return digits === undefined ? null : Number(digits)
}

/** Opens a document at the place where its owner was. Stops the last one. */
export async function openDocument(documentId: number | null): Promise<void> {
  stop()
  if (documentId === null) return fail('not_found')
  // On a parent's own phone what is kept is read on when the session has run out.
  const isIn = $session.get() !== null
  if (!isIn && readerWithoutSession() === null) return fail('not_logged_in')
  $state.set(LOADING)
  const stops = [watchSession()]
  stop = () => {
    for (const each of stops.splice(0)) each()
  }
  const isOver = () => stops.length === 0
  try {
    const { reading, isKept } = isIn ? await openedOrKept(documentId) : await keptOf(documentId)
    if (isOver()) return
    if (!reading) return fail('not_logged_in')
    beginAt(reading)
    // What is kept may be of another version than what the shop has opened.
    const kept = isKept ? (page: number) => keptPage(documentId, page) : undefined
    const onRefused = (error: unknown) => {
      if (!isOver()) leaveRevoked(documentId, error)
    }
    stops.push(followPictures(reading, () => renewed(documentId, onRefused), kept))
    if (isIn) stops.push(followPlace(reading, onRefused), keepOn())
    $state.set({ phase: 'shown', reading, isKept })
    $lastRead.set(documentId)
  } catch (error) {
    if (!isOver()) fail(problemKind(problemOf(error)))
  }
}

let stop = () => {}

function fail(problem: ReaderProblem): void {
  stop()
  $state.set({ phase: 'failed', problem })
}

/** Without its session, nothing of a document stays on the screen. */
function watchSession(): () => void {
  return $session.listen((session) => {
    if (session) return
    forgetPictures()
    fail('not_logged_in')
  })
}

const keptOf = async (documentId: number) =>
  ({ reading: await keptReading(documentId), isKept: true }) as const

/** The document, or as it is kept on this phone where no answer comes. */
async function openedOrKept(documentId: number) {
  try {
    return { reading: await opened(documentId), isKept: false }
  } catch (error) {
    // Such as a refunded one, which is not read on from what is kept of it either.
    if (isNotOwned(error)) await dropDocument(documentId).catch(logOnly('kept document'))
    const { status } = problemOf(error)
    const kept = status === 0 ? await keptOf(documentId) : null
    if (!kept?.reading) throw error
    return kept
  }
}

const isNotOwned = (error: unknown) => problemOf(error).code === 'not_permitted'

/** Of a document that is not owned any more nothing stays, neither on the screen nor on this device. */
function leaveRevoked(documentId: number, error: unknown): void {
  if (!isNotOwned(error)) return
  forgetPictures()
  fail(problemKind(problemOf(error)))
  dropDocument(documentId).catch(logOnly('kept document'))
}

/** The document as the script in the head has opened it, or by a call of our own. */
async function opened(documentId: number): Promise<Reading> {
  const first = window.firstPage
  if (first?.documentId !== documentId) return read(documentId)
  const { status, body } = await first.answer
  if (status === 200) return body as Reading
  delete window.firstPage
  if (status === 0) throw new Error('no answer')
  if (status === 401) dropToken(tokenToSend())
  const { error } = (body ?? {}) as { error?: unknown }
  throw new Refusal(String(error) as ProblemCode, status)
}

const read = (id: number) => ask(({ reading }) => reading.openReading, { params: { id } })

/** The address of the pictures anew; `onRefused` is called with what prevents it. */
async function renewed(documentId: number, onRefused: (error: unknown) => void): Promise<Reading> {
  const reading = await read(documentId).catch((error: unknown) => {
    onRefused(error)
    throw error
  })
  const state = $state.get()
  if (state.phase === 'shown') $state.set({ ...state, reading: { ...state.reading, ...reading } })
  return reading
}
