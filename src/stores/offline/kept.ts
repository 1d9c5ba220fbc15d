import { atom, onMount, readonlyType } from 'nanostores'
import { fetchPicture } from '../../client/page-pictures.ts'
import type { Reading } from '../../contract/reading.ts'
import { PAGE_WIDTH } from '../../rules/reading.ts'
import { $session } from '../account/session.ts'
import { ask } from '../shared/backend.ts'
import { logOnly } from '../shared/problem.ts'
import {
  type KeptVersion,
  keptVersions,
  openDocuments,
  pageIn,
  putPage,
  putReading,
  readableOf,
  readingIn,
  removeVersions,
} from './documents-cache.ts'
import { readerWithoutSession } from './phone.ts'
import { canKeep, hasReadersPages, keepReadersPages } from './shells.ts'

/**
 * What is so with a document on this phone: its pages are on their way, all there, only some of them, or
 * some because the phone is full, the network is gone, or the shop refused.
 */
export type KeptState = 'keeping' | 'kept' | 'partly' | 'full' | 'cut' | 'failed'

/** A document as far as it is kept; `pages` of `of`, in `bytes`, since `keptAt` (ms since 1970). */
export interface Kept {
  documentId: number
  title: string
  version: number
  pages: number
  of: number
  bytes: number
  keptAt: number
  state: KeptState
}

/** Pages that are fetched at the same time. */
const TOGETHER = 3

const $all = atom<ReadonlyMap<number, Kept>>(new Map())
/** The documents that are kept for whoever reads here, by their ids. */
export const $kept = readonlyType($all)

/** What the browser has left for the shop, in bytes; null where it does not say. */
const $left = atom<number | null>(null)
export const $spaceLeft = readonlyType($left)

/** How the documents stopped whose keeping began on this page. */
const stopped = new Map<number, KeptState>()
const running = new Set<number>()

/** Whose documents are shown: those of who is logged in, or of who may read on. */
const reader = () => $session.get()?.userId ?? readerWithoutSession()

onMount($all, () => {
  if (typeof window === 'undefined') return
  const refresh = () => void refreshKept()
  const unsubscribe = $session.subscribe(refresh)
  addEventListener('pageshow', refresh)
  return () => {
    unsubscribe()
    removeEventListener('pageshow', refresh)
  }
})

/** Reads what is kept, which another tab may have changed. */
export async function refreshKept(): Promise<void> {
  const userId = reader()
  const versions = userId === null || !canKeep() ? [] : await versionsOf(userId)
  areReadersPagesKept = versions.length > 0 && (await hasReadersPages())
  if (reader() !== userId) return
  const kept = new Map<number, Kept>()
  for (const { documentId } of versions) {
    const found = readableOf(versions.filter((version) => version.documentId === documentId))
    if (found) kept.set(documentId, shown(found))
  }
  $all.set(kept)
  const space = await navigator.storage?.estimate?.().catch(() => undefined)
  if (space?.quota) $left.set(Math.max(0, space.quota - (space.usage ?? 0)))
}

async function versionsOf(userId: number): Promise<KeptVersion[]> {
  try {
    return await keptVersions(await openDocuments(userId))
  } catch (error) {
    logOnly('kept documents')(error)
    return []
  }
}

/** Without these pages nothing that is kept can be found or read. */
let areReadersPagesKept = false

function shown({ pages, ...version }: KeptVersion): Kept {
  const { documentId, of } = version
  const isWhole = pages.size >= of
  const state = running.has(documentId)
    ? 'keeping'
    : isWhole && areReadersPagesKept
      ? 'kept'
      : (stopped.get(documentId) ?? 'partly')
  return { ...version, pages: pages.size, state }
}

function show(kept: Kept): void {
  $all.set(new Map($all.get()).set(kept.documentId, kept))
}

/**
 * Keeps the pages of a bought document on this phone, from where it stopped before; a newer version
 * replaces the kept one once it is whole. What stops it is in `$kept`.
 */
export async function keepDocument(documentId: number): Promise<void> {
  const userId = $session.get()?.userId
  if (userId === undefined || running.has(documentId) || !canKeep()) return
  running.add(documentId)
  stopped.delete(documentId)
  // Asked for here alone, where somebody wants that it stays; some browsers ask the visitor in turn.
  navigator.storage?.persist?.().catch(() => undefined)
  try {
    const cache = await openDocuments(userId)
    const areShellsKept = keepReadersPages()
    await keepPages(cache, userId, documentId)
    if (!(await areShellsKept)) throw new Stopped('cut')
  } catch (error) {
    logOnly('keeping a document')(error)
    stopped.set(documentId, stateOf(error))
  }
  running.delete(documentId)
  await refreshKept()
}

/** Says why keeping stopped. */
class Stopped extends Error {
  readonly state: KeptState
  constructor(state: KeptState) {
    super(state)
    this.state = state
  }
}

function stateOf(error: unknown): KeptState {
  if (error instanceof Stopped) return error.state
  if (error instanceof DOMException && error.name === 'QuotaExceededError') return 'full'
  return navigator.onLine ? 'failed' : 'cut'
}

const openReading = (id: number): Promise<Reading> =>
  ask(({ reading }) => reading.openReading, { params: { id } })

async function keepPages(cache: Cache, userId: number, documentId: number): Promise<void> {
  const reading = await openReading(documentId)
  await putReading(cache, reading, Date.now())
  const before = (await keptVersions(cache)).find(
    (kept) => kept.documentId === documentId && kept.version === reading.version,
  )
  if (!before) throw new Stopped('failed')
  let { bytes } = before
  const { pages } = before
  const report = () => show({ ...before, pages: pages.size, bytes, state: 'keeping' })
  report()

  let address = Promise.resolve(reading.pages)
  /** A new address, once for all pages that were refused; another version begins anew. */
  const renewed = async (): Promise<string> => {
    const next = await openReading(documentId)
    if (next.version !== reading.version) throw new Stopped('partly')
    return next.pages
  }
  const fetchPage = async (page: number): Promise<Blob> => {
    const used = address
    const name = `${page}-${PAGE_WIDTH}.webp`
    const ending = new AbortController()
    let answer = await fetchPicture((await used) + name, ending.signal)
    if (!answer.bytes && answer.status >= 400) {
      if (address === used) address = renewed()
      answer = await fetchPicture((await address) + name, ending.signal)
    }
    if (!answer.bytes) throw new Stopped(answer.status === 0 ? 'cut' : 'failed')
    return answer.bytes
  }

  const missing = reading.sizes.map((_, at) => at + 1).filter((page) => !pages.has(page))
  const work = async () => {
    for (let page = missing.shift(); page !== undefined; page = missing.shift()) {
      const picture = await fetchPage(page)
      // The session has ended, and the cache with it.
      if ($session.get()?.userId !== userId) throw new Stopped('partly')
      await putPage(cache, reading, page, picture)
      pages.add(page)
      bytes += picture.size
      report()
    }
  }
  await Promise.all(Array.from({ length: TOGETHER }, work))
  await removeVersions(cache, documentId, reading.version)
}

/** Removes a document from this phone. */
export async function dropDocument(documentId: number): Promise<void> {
  const userId = reader()
  if (userId === null) return
  stopped.delete(documentId)
  await removeVersions(await openDocuments(userId), documentId)
  await refreshKept()
}

/** The kept answer of `openReading`; null where the document is not kept for whoever reads here. */
export async function keptReading(documentId: number): Promise<Reading | null> {
  return (await keptFor(documentId, readingIn)) ?? null
}

/** The kept picture of a page, from 1; null where it is not kept. */
export async function keptPage(documentId: number, page: number): Promise<Blob | null> {
  return (await keptFor(documentId, (cache, version) => pageIn(cache, version, page))) ?? null
}

async function keptFor<T>(
  documentId: number,
  read: (cache: Cache, version: KeptVersion) => Promise<T>,
): Promise<T | undefined> {
  const userId = reader()
  if (userId === null || !canKeep()) return undefined
  const cache = await openDocuments(userId)
  const versions = (await keptVersions(cache)).filter((kept) => kept.documentId === documentId)
  const version = readableOf(versions)
  return version && read(cache, version)
}
