import { atom, onMount, readonlyType } from 'nanostores'
import type { Reading } from '../../contract/reading.ts'
import { $session } from '../session/session.ts'
import { logOnly } from '../shared/problem.ts'
import { readerWithoutSession } from '../user-data/phone.ts'
import {
  type KeptVersion,
  keptVersions,
  openDocuments,
  pageIn,
  readableOf,
  readingIn,
  removeVersions,
} from './documents-cache.ts'
import { $hasWorker, canKeep, hasReadersPages } from './shells.ts'

/**
 * The state of a document on this device: its pages are being fetched, complete, or partly there;
 * or keeping stopped because the device is full, the network was lost, or the shop refused.
 */
export type KeptState = 'keeping' | 'kept' | 'partly' | 'full' | 'cut' | 'failed'

/** `pages` of its `of` pages are kept, begun at `keptAt` (ms since 1970). */
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

const $all = atom<ReadonlyMap<number, Kept>>(new Map())
export const $kept = readonlyType($all)

const $begun = atom<ReadonlyMap<number, KeptState>>(new Map())
/** The state of the documents whose keeping began on this page, even if no page is kept yet. */
export const $keeping = readonlyType($begun)

/** The storage that the browser has left for the shop, in bytes; null if it does not say. */
const $left = atom<number | null>(null)
export const $spaceLeft = readonlyType($left)

/** The logged-in user, or one who may read without a session. */
export const readerId = () => $session.get()?.userId ?? readerWithoutSession()

onMount($all, () => {
  if (typeof window === 'undefined') return
  const refresh = () => void refreshKept()
  const unsubscribes = [$session.subscribe(refresh), $hasWorker.listen(refresh)]
  addEventListener('pageshow', refresh)
  return () => {
    for (const unsubscribe of unsubscribes) unsubscribe()
    removeEventListener('pageshow', refresh)
  }
})

/** Reads the caches again, which another tab may have changed. */
export async function refreshKept(): Promise<void> {
  const userId = readerId()
  const versions = userId === null || !canKeep() ? [] : await versionsOf(userId)
  areReadersPagesKept = versions.length > 0 && (await hasReadersPages())
  if (readerId() !== userId) return
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

/** Without these pages no kept document can be found or read. */
let areReadersPagesKept = false

function shown({ pages, ...version }: KeptVersion): Kept {
  const begun = $begun.get().get(version.documentId)
  const isWhole = pages.size >= version.of && areReadersPagesKept
  const state = isWhole && begun !== 'keeping' ? 'kept' : (begun ?? 'partly')
  return { ...version, pages: pages.size, state }
}

export function showKept(kept: Kept): void {
  $all.set(new Map($all.get()).set(kept.documentId, kept))
}

/** Null removes the state. */
export function noteKeeping(documentId: number, state: KeptState | null): void {
  const next = new Map($begun.get())
  if (state) next.set(documentId, state)
  else next.delete(documentId)
  $begun.set(next)
}

/** The documents that are being kept on this page: how to abort that, and when it has ended. */
export const underWay = new Map<number, { ending: AbortController; ended: Promise<void> }>()

/** Removes a document from this device, even while it is being kept. */
export async function dropDocument(documentId: number): Promise<void> {
  const userId = readerId()
  const running = underWay.get(documentId)
  running?.ending.abort()
  await running?.ended
  noteKeeping(documentId, null)
  // The session may have ended and its cache been deleted meanwhile; opening the cache would
  // recreate it.
  if (userId === null || readerId() !== userId || !canKeep()) return
  await removeVersions(await openDocuments(userId), documentId)
  await refreshKept()
}

/** Removes documents that are no longer owned, by a list just loaded from the shop. */
export async function dropRevoked(userId: number, owned: ReadonlySet<number>): Promise<void> {
  if (readerId() !== userId || !canKeep()) return
  const kept = new Set((await versionsOf(userId)).map(({ documentId }) => documentId))
  for (const documentId of kept) {
    if (!owned.has(documentId) && readerId() === userId) await dropDocument(documentId)
  }
}

export async function keptReading(documentId: number): Promise<Reading | null> {
  return (await keptFor(documentId, readingIn)) ?? null
}

export async function keptPage(documentId: number, page: number): Promise<Blob | null> {
  return (await keptFor(documentId, (cache, version) => pageIn(cache, version, page))) ?? null
}

async function keptFor<T>(
  documentId: number,
  read: (cache: Cache, version: KeptVersion) => Promise<T>,
): Promise<T | undefined> {
  const userId = readerId()
  if (userId === null || !canKeep()) return undefined
  const cache = await openDocuments(userId)
  const versions = (await keptVersions(cache)).filter((kept) => kept.documentId === documentId)
  const version = readableOf(versions)
  return version && read(cache, version)
}
