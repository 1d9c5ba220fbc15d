import { atom, readonlyType } from 'nanostores'
import type { Reading as BoughtReading } from '../../contract/reading.ts'
import type { correctionAfter } from '../../rules/sample-exam.ts'
import { SAMPLE_QUERY } from '../../rules/sample-query.ts'
import { keepOn } from '../offline/keep-document.ts'
import { dropDocument, keptPage, keptReading } from '../offline/kept.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { logOnly, type ProblemCode, problemOf, Refusal } from '../shared/problem.ts'
import { dropToken, tokenToSend } from '../shared/token.ts'
import { readerWithoutSession } from '../user-data/phone.ts'
import { $lastRead } from '../user-data/user-data.ts'
import { followPictures, forgetPictures } from './pictures.ts'
import { beginAt, followPlace } from './place.ts'

/** An open document; or the `sample` of a paper, and where that paper's correction is. */
export type Reading = BoughtReading & { readonly sample?: ReturnType<typeof correctionAfter> }

type Reader =
  | { phase: 'loading' }
  | { phase: 'failed'; problem: ReaderProblem }
  | { phase: 'shown'; reading: Reading; isKept: boolean }

const LOADING = { phase: 'loading' } as const

const $state = atom<Reader>(LOADING)
export const $reader = readonlyType($state)

/** The document id in the path of the reader's page; null if there is none. */
export function documentIdIn(path: string): number | null {
  const [, digits] = /\/read\/([1-9]\d{0,8})$/.exec(path) ?? []
  return digits === undefined ? null : Number(digits)
}

/** Closes the current document and opens another at its owner's last place. */
export async function openDocument(documentId: number | null): Promise<void> {
  stop()
  if (documentId === null) return fail('not_found')
  // On a parent's own phone, kept documents can be read even after the session has expired.
  const isLoggedIn = $session.get() !== null
  if (!isLoggedIn && readerWithoutSession() === null) return fail('not_logged_in')
  $state.set(LOADING)
  const stops = [watchSession()]
  stop = () => {
    for (const each of stops.splice(0)) each()
  }
  const isClosed = () => stops.length === 0
  try {
    if (isLoggedIn && location.search === SAMPLE_QUERY) {
      const { openSample } = await import('./sample.ts')
      const { reading, pages } = await openSample(documentId)
      if (isClosed()) return
      beginAt(reading)
      stops.push(followPictures(reading, async () => reading, undefined, pages))
      $state.set({ phase: 'shown', reading, isKept: false })
      return
    }
    const { reading, isKept } = isLoggedIn
      ? await openOrKept(documentId)
      : await openKept(documentId)
    if (isClosed()) return
    if (!reading) return fail('not_logged_in')
    beginAt(reading)
    // The kept pages may belong to a different version than a document opened online.
    const kept = isKept ? (page: number) => keptPage(documentId, page) : undefined
    const onRefused = (error: unknown) => {
      if (!isClosed()) leaveRevoked(documentId, error)
    }
    stops.push(followPictures(reading, () => renew(documentId, onRefused), kept))
    if (isLoggedIn) stops.push(followPlace(reading, onRefused), keepOn())
    $state.set({ phase: 'shown', reading, isKept })
    $lastRead.set(documentId)
  } catch (error) {
    if (!isClosed()) fail(problemKind(problemOf(error)))
  }
}

let stop = () => {}

function fail(problem: ReaderProblem): void {
  stop()
  $state.set({ phase: 'failed', problem })
}

/** Removes the document from the screen when the session ends. */
function watchSession(): () => void {
  return $session.listen((session) => {
    if (session) return
    forgetPictures()
    fail('not_logged_in')
  })
}

const openKept = async (documentId: number) =>
  ({ reading: await keptReading(documentId), isKept: true }) as const

/** Opens the document online, or as it is kept on this phone if the server does not respond. */
async function openOrKept(documentId: number) {
  try {
    return { reading: await open(documentId), isKept: false }
  } catch (error) {
    // A document that is no longer owned, such as a refunded one, must not be read offline either.
    if (isNotOwned(error)) await dropDocument(documentId).catch(logOnly('kept document'))
    const { status } = problemOf(error)
    const kept = status === 0 ? await openKept(documentId) : null
    if (!kept?.reading) throw error
    return kept
  }
}

const isNotOwned = (error: unknown) => problemOf(error).code === 'not_permitted'

/** Removes a document that is no longer owned from the screen and from this device. */
function leaveRevoked(documentId: number, error: unknown): void {
  if (!isNotOwned(error)) return
  forgetPictures()
  fail(problemKind(problemOf(error)))
  dropDocument(documentId).catch(logOnly('kept document'))
}

/** Returns the document that the script in the head has opened, or opens it with a call. */
async function open(documentId: number): Promise<BoughtReading> {
  const first = window.firstPage
  if (first?.documentId !== documentId) return openReading(documentId)
  const { status, body } = await first.answer
  if (status === 200) return body as BoughtReading
  delete window.firstPage
  if (status === 0) throw new Error('no answer')
  if (status === 401) dropToken(tokenToSend())
  const { error } = (body ?? {}) as { error?: unknown }
  throw new Refusal(String(error) as ProblemCode, status)
}

const openReading = (id: number) => ask(({ reading }) => reading.openReading, { params: { id } })

/** Renews the address of the pictures; `onRefused` receives the error if the call fails. */
async function renew(
  documentId: number,
  onRefused: (error: unknown) => void,
): Promise<BoughtReading> {
  const reading = await openReading(documentId).catch((error: unknown) => {
    onRefused(error)
    throw error
  })
  const state = $state.get()
  if (state.phase === 'shown') $state.set({ ...state, reading: { ...state.reading, ...reading } })
  return reading
}

export type ReaderProblem =
  | 'not_logged_in'
  | 'not_bought'
  | 'not_found'
  | 'unreadable'
  | 'offline'
  | 'busy'
  | 'failed'

export function problemKind({ status, code }: { status: number; code: string }): ReaderProblem {
  if (status === 0) return 'offline'
  if (status === 401) return 'not_logged_in'
  if (status === 403) return 'not_bought'
  if (status === 404) return 'not_found'
  if (status === 429 || status === 503) return 'busy'
  return code === 'document_unreadable' ? 'unreadable' : 'failed'
}
