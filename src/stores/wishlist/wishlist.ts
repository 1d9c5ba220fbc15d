import { computed, readonlyType } from 'nanostores'
import type { WishlistEntry } from '../../contract/wishlists.ts'
import { withWish } from '../../rules/wishes.ts'
import { createLoader } from '../account/loader.ts'
import { $session } from '../account/session.ts'
import { $unsentWishes, $wishedIds } from '../account/user-data.ts'
import { ask } from '../shared/backend.ts'
import { announceWishProblem } from '../shared/notices.ts'
import { problemOf } from '../shared/problem.ts'
import { createQueue } from '../shared/queue.ts'

export type { WishlistEntry } from '../../contract/wishlists.ts'

/** The ids on the user's wishlist, as the server last gave them or just wished; empty when logged out or unknown. */
export const $wished = readonlyType(
  computed($wishedIds, (ids): ReadonlySet<number> => new Set(ids)),
)

const list = createLoader<readonly WishlistEntry[]>('wishlist')

/** What the page shows: an entry that was taken off here or in another tab is gone at once. */
export const $wishlist = computed([list.$state, $wished], (state, wished) => {
  if (state.phase !== 'ready') return state
  return { ...state, value: state.value.filter(({ document }) => wished.has(document.id)) }
})

/** Whether another tab has added a wish that the list does not have yet. */
export const $isBehind = computed([list.$state, $wished], (state, wished) => {
  if (state.phase !== 'ready') return false
  const known = new Set(state.value.map(({ document }) => document.id))
  return [...wished].some((id) => !known.has(id))
})

// One call at a time, so that the last wish wins also at the server.
const inTurn = createQueue()

function keep(documentId: number, isWished: boolean): void {
  $wishedIds.set(withWish($wishedIds.get() ?? [], documentId, isWished))
}

let isRequested = false

/** The same as `loadWishlist`, unless this page has read the wishlist before. */
export async function loadWishlistOnce(): Promise<void> {
  if (!isRequested) await loadWishlist()
}

/** Reads the wishlist; does nothing when nobody is logged in. Never rejects. */
export function loadWishlist(): Promise<void> {
  return read(true)
}

/** When another tab's wish is looked for (ms): the tab shows it before the server has it. */
const CATCH_UP_AFTER_MS = [0, 500, 2000]

/** Reads what another tab has wished for; only the last attempt lets the server's list overrule this one. */
export async function catchUp(): Promise<void> {
  for (const delay of CATCH_UP_AFTER_MS) {
    await new Promise((resolve) => setTimeout(resolve, delay))
    if ($isBehind.get()) await read(false)
  }
  if ($isBehind.get()) await read(true)
}

function read(isFinal: boolean): Promise<void> {
  return inTurn(() => {
    if ($session.get()) isRequested = true
    const isFailed = list.$state.get().phase === 'failed'
    return (isFailed ? list.load : list.refresh)((userId) => readEntries(userId, isFinal))
  })
}

async function readEntries(userId: number, isFinal: boolean): Promise<WishlistEntry[]> {
  const entries = await ask(({ wishlists }) => wishlists.getWishlist, { params: { userId } })
  if (isFinal && $session.get()?.userId === userId) {
    // Changes that were made meanwhile wait for their turn; they still count.
    const ids = new Set(entries.map(({ document }) => document.id))
    for (const [id, isWished] of Object.entries($unsentWishes.get()))
      isWished ? ids.add(Number(id)) : ids.delete(Number(id))
    $wishedIds.set([...ids])
  }
  return entries
}

/** The heart: puts a document on the wishlist, or takes it off. */
export function toggleWish(documentId: number): void {
  wish(documentId, !$wished.get().has(documentId))
}

/**
 * Puts a document on the wishlist, or takes it off. Shown at once, and taken back with a notice where
 * the server refuses.
 */
export function wish(documentId: number, isWished: boolean): void {
  const userId = $session.get()?.userId
  if (userId === undefined) return
  keep(documentId, isWished)
  $unsentWishes.set({ ...$unsentWishes.get(), [documentId]: isWished })
  void inTurn(() => send(userId, documentId))
}

/** Sends the wishes that the server does not have: the visitor left the page, or made them before this script was there. */
export function sendWishes(): void {
  const userId = $session.get()?.userId
  if (userId === undefined) return
  for (const id of Object.keys($unsentWishes.get())) void inTurn(() => send(userId, Number(id)))
}

async function send(userId: number, documentId: number): Promise<void> {
  const isWished = $unsentWishes.get()[documentId]
  // An earlier turn has sent the last of several changes.
  if (isWished === undefined || $session.get()?.userId !== userId) return
  const isLast = () => $unsentWishes.get()[documentId] === isWished
  const item = { userId, documentId }
  try {
    if (isWished) await ask(({ wishlists }) => wishlists.addToWishlist, { query: item })
    else await ask(({ wishlists }) => wishlists.removeFromWishlist, { body: item })
  } catch (error) {
    if ($session.get()?.userId === userId && isLast()) keep(documentId, !isWished)
    announceWishProblem(problemOf(error).code)
  }
  if (!isLast()) return
  const { [documentId]: _, ...others } = $unsentWishes.get()
  $unsentWishes.set(others)
}
