import { atom, onMount, readonlyType } from 'nanostores'
import type { Reading } from '../../contract/reading.ts'
import { $session } from '../account/session.ts'
import { logOnly } from '../shared/problem.ts'
import {
  type KeptVersion,
  keptVersions,
  openDocuments,
  pageIn,
  readableOf,
  readingIn,
  removeVersions,
} from './documents-cache.ts'
import { readerWithoutSession } from './phone.ts'
import { $hasWorker, canKeep, hasReadersPages } from './shells.ts'

/**
 * What is so with a document on this device: its pages are on their way, all there, only some of them, or
 * it stopped because the device is full, the network is gone, or the shop refused.
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

const $all = atom<ReadonlyMap<number, Kept>>(new Map())
/** The documents that are kept for whoever reads here, by their ids. */
export const $kept = readonlyType($all)

const $begun = atom<ReadonlyMap<number, KeptState>>(new Map())
/** How it stands with the documents whose keeping began on this page, also where no page is kept yet. */
export const $keeping = readonlyType($begun)

/** What the browser has left for the shop, in bytes; null where it does not say. */
const $left = atom<number | null>(null)
export const $spaceLeft = readonlyType($left)

/** Whose documents are shown: those of who is logged in, or of who may read on. */
const reader = () => $session.get()?.userId ?? readerWithoutSession()

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
  const begun = $begun.get().get(version.documentId)
  const isWhole = pages.size >= version.of && areReadersPagesKept
  const state = isWhole && begun !== 'keeping' ? 'kept' : (begun ?? 'partly')
  return { ...version, pages: pages.size, state }
}

/** Shows how far keeping a document has come. */
export function showKept(kept: Kept): void {
  $all.set(new Map($all.get()).set(kept.documentId, kept))
}

/** Notes how it stands with a document whose keeping began on this page; null where nothing did. */
export function noteKeeping(documentId: number, state: KeptState | null): void {
  const next = new Map($begun.get())
  if (state) next.set(documentId, state)
  else next.delete(documentId)
  $begun.set(next)
}

/** What ends keeping a document that is being kept on this page. */
export const underWay = new Map<number, { ending: AbortController; ended: Promise<void> }>()

/** Removes a document from this device, also while it is being kept. */
export async function dropDocument(documentId: number): Promise<void> {
  const userId = reader()
  const running = underWay.get(documentId)
  running?.ending.abort()
  await running?.ended
  noteKeeping(documentId, null)
  // What a session kept may have gone with it meanwhile; opening that would bring it back.
  if (userId === null || reader() !== userId || !canKeep()) return
  await removeVersions(await openDocuments(userId), documentId)
  await refreshKept()
}

/**
 * Removes what an account keeps and no longer owns, such as what was refunded; `owned` are the ids of a list
 * that just came from the shop.
 */
export async function dropRevoked(userId: number, owned: ReadonlySet<number>): Promise<void> {
  if (reader() !== userId || !canKeep()) return
  const kept = new Set((await versionsOf(userId)).map(({ documentId }) => documentId))
  for (const documentId of kept) {
    if (!owned.has(documentId) && reader() === userId) await dropDocument(documentId)
  }
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
