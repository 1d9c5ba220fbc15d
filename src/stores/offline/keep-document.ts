import { onMount } from 'nanostores'
import { fetchPicture, waitBefore } from '../../client/page-pictures.ts'
import type { Reading } from '../../contract/reading.ts'
import { isOutOfSpace } from '../../rules/offline.ts'
import { PAGE_WIDTH } from '../../rules/reading.ts'
import { KEEPING_KEY } from '../../rules/storage-keys.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { logOnly, problemOf } from '../shared/problem.ts'
import {
  beginVersion,
  openDocuments,
  putPage,
  removeEmptyVersion,
  removeVersions,
} from './documents-cache.ts'
import { $keeping, type KeptState, noteKeeping, refreshKept, showKept, underWay } from './kept.ts'
import { canKeep, keepReadersPages } from './shells.ts'

const PARALLEL_FETCHES = 3
/** How often a busy shop is asked again for a page, each time after the wait that it names. */
const BUSY_TRIES = 10
/** That wait where it names none (ms). */
const BUSY_WAIT_MS = 2000

const isBusy = (status: number) => status === 503 || status === 429

onMount($keeping, () => {
  if (typeof window === 'undefined') return
  resume()
  addEventListener('online', resume)
  return () => removeEventListener('online', resume)
})

/** Resumes what this tab was keeping when its page was left or the network was lost. */
function resume(): void {
  const userId = $session.get()?.userId
  for (const begun of begunDocuments()) {
    if (begun.userId === userId) void keepDocument(begun.documentId)
  }
}

/** Resumes keeping on pages that show no button for it. Returns a function that stops it. */
export const keepOn = (): (() => void) => $keeping.listen(() => {})

/**
 * Keeps the pages of a bought document on this device, continuing where it stopped before; a newer
 * version replaces the kept one once it is complete. `$keeping` and `$kept` have the reason if it
 * stops.
 */
export async function keepDocument(documentId: number): Promise<void> {
  const userId = $session.get()?.userId
  if (userId === undefined || underWay.has(documentId) || !canKeep()) return
  const ending = new AbortController()
  noteKeeping(documentId, 'keeping')
  noteBegun({ userId, documentId })
  const ended = keep(userId, documentId, ending.signal).then((state) => {
    underWay.delete(documentId)
    noteKeeping(documentId, state)
    if (state !== 'cut') noteEnded(documentId)
  })
  underWay.set(documentId, { ending, ended })
  await ended
  await refreshKept()
}

/** Resolves to the reason why it stopped, or to null once everything is kept. */
async function keep(
  userId: number,
  documentId: number,
  signal: AbortSignal,
): Promise<KeptState | null> {
  // Persistence is requested only here, where the visitor wants data to stay, since some browsers
  // ask the visitor.
  navigator.storage?.persist?.().catch(() => undefined)
  try {
    await keepPages(userId, documentId, signal)
    return null
  } catch (error) {
    if (signal.aborted) return null
    logOnly('keeping a document')(error)
    return stateOf(error)
  }
}

class Stopped extends Error {
  readonly state: KeptState
  constructor(state: KeptState) {
    super(state)
    this.state = state
  }
}

function stateOf(error: unknown): KeptState {
  if (error instanceof Stopped) return error.state
  if (isOutOfSpace(error)) return 'full'
  return stateAfter(problemOf(error).status)
}

/** Whether keeping resumes by itself depends on it: `failed` does not. */
const stateAfter = (status: number): KeptState =>
  status === 0 || isBusy(status) ? 'cut' : 'failed'

const openReading = (id: number): Promise<Reading> =>
  ask(({ reading }) => reading.openReading, { params: { id } })

async function keepPages(userId: number, documentId: number, signal: AbortSignal): Promise<void> {
  const reading = await openReading(documentId)
  // First, because without these pages nothing could be read.
  const shells = await keepReadersPages()
  if (shells !== 'kept') throw new Stopped(shells)
  const guard = () => {
    signal.throwIfAborted()
    // The session has ended, and the kept pages were deleted with it.
    if ($session.get()?.userId !== userId) throw new Stopped('partly')
  }
  guard()
  const cache = await openDocuments(userId)
  const { pages, ...begun } = await beginVersion(cache, reading, Date.now())
  let { bytes } = begun
  const report = () => showKept({ ...begun, pages: pages.size, bytes, state: 'keeping' })
  report()

  const fetchPage = pageFetcher(reading, signal)
  const missing = reading.sizes.map((_, at) => at + 1).filter((page) => !pages.has(page))
  const work = async () => {
    try {
      for (let page = missing.shift(); page !== undefined; page = missing.shift()) {
        const picture = await fetchPage(page)
        guard()
        await putPage(cache, reading, page, picture)
        pages.add(page)
        bytes += picture.size
        report()
      }
    } catch (error) {
      missing.length = 0
      throw error
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: PARALLEL_FETCHES }, work))
  const failure = ends.find(({ status }) => status === 'rejected')
  if (failure?.status === 'rejected') {
    await removeEmptyVersion(cache, reading)
    throw failure.reason
  }
  await removeVersions(cache, documentId, reading.version)
}

/** Fetches a page; waits and asks again while the shop is busy. */
async function fetchUnlessBusy(address: string, signal: AbortSignal) {
  for (let tries = 0; ; tries++) {
    const answer = await fetchPicture(address, signal)
    if (!isBusy(answer.status) || tries === BUSY_TRIES) return answer
    // A caller that stops it, to remove the document or to log out, does not wait for the shop.
    await new Promise((end) => {
      setTimeout(end, waitBefore(answer, BUSY_WAIT_MS))
      signal.addEventListener('abort', end, { once: true })
    })
  }
}

/** Fetches by the signed address, and by a new one once that has expired. */
function pageFetcher(reading: Reading, signal: AbortSignal): (page: number) => Promise<Blob> {
  let address = Promise.resolve(reading.pages)
  /** Once for all refused pages; stops if the document has a new version. */
  const renewed = async (): Promise<string> => {
    const next = await openReading(reading.documentId)
    if (next.version !== reading.version) throw new Stopped('partly')
    return next.pages
  }
  return async (page) => {
    const used = address
    const name = `${page}-${PAGE_WIDTH}.webp`
    let answer = await fetchUnlessBusy((await used) + name, signal)
    if (!answer.bytes && answer.status >= 400 && !isBusy(answer.status)) {
      if (address === used) address = renewed()
      answer = await fetchUnlessBusy((await address) + name, signal)
    }
    if (!answer.bytes) throw new Stopped(stateAfter(answer.status))
    return answer.bytes
  }
}

// The documents that this tab has begun to keep and not finished; the next page continues with
// them.

interface Begun {
  userId: number
  documentId: number
}

function begunDocuments(): Begun[] {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(KEEPING_KEY) ?? '[]')
    return Array.isArray(saved) ? saved.filter(isBegun) : []
  } catch {
    return []
  }
}

const isBegun = (value: Partial<Begun> | null): value is Begun =>
  Number.isSafeInteger(value?.userId) && Number.isSafeInteger(value?.documentId)

function noteBegun(begun: Begun): void {
  writeBegun([...without(begun.documentId), begun])
}

function noteEnded(documentId: number): void {
  writeBegun(without(documentId))
}

const without = (id: number) => begunDocuments().filter(({ documentId }) => documentId !== id)

function writeBegun(documents: readonly Begun[]): void {
  try {
    if (documents.length === 0) sessionStorage.removeItem(KEEPING_KEY)
    else sessionStorage.setItem(KEEPING_KEY, JSON.stringify(documents))
  } catch {
    // Without storage the next page offers to continue.
  }
}
