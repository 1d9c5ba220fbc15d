import { computed } from 'nanostores'
import type { WishlistEntry } from '../../contract/carts.ts'
import type { NoticeProblem } from '../../rules/taps.ts'
import { createLoader } from '../session/loader.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { announceProblem } from '../shared/notices.ts'
import { type ProblemCode, problemOf } from '../shared/problem.ts'
import { createQueue } from '../shared/queue.ts'
import { $unsentWishes, $wishedIds } from '../user-data/user-data.ts'
import { $wished, showWish } from './wishes.ts'

export type { WishlistEntry } from '../../contract/carts.ts'

const list = createLoader<readonly WishlistEntry[]>('wishlist')

/** The list to show: an entry that was removed here or in another tab disappears at once. */
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

// One call at a time, so that the last change also wins on the server.
const inTurn = createQueue()

let isRequested = false

/** The same as `loadWishlist`, unless this page has read the wishlist before. */
export async function loadWishlistOnce(): Promise<void> {
  if (!isRequested) await loadWishlist()
}

/** Reads the wishlist; does nothing when nobody is logged in. Never rejects. */
export function loadWishlist(): Promise<void> {
  return read(true)
}

/**
 * The delays of the attempts to load another tab's wish (ms): the tab saves it before the server
 * has it.
 */
const CATCH_UP_AFTER_MS = [0, 500, 2000]

/**
 * Loads what another tab has added; only the last attempt lets the server's list overrule the local
 * one.
 */
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
    // Changes made meanwhile are still queued, and have to be applied on top.
    const ids = new Set(entries.map(({ document }) => document.id))
    for (const [id, isWished] of Object.entries($unsentWishes.get()))
      isWished ? ids.add(Number(id)) : ids.delete(Number(id))
    $wishedIds.set([...ids])
  }
  return entries
}

/**
 * Sends the wishes that the server does not have yet, because the visitor left the page too early,
 * or made them before this module was loaded.
 */
export function sendWishes(): void {
  const userId = $session.get()?.userId
  if (userId === undefined) return
  for (const id of Object.keys($unsentWishes.get())) void inTurn(() => send(userId, Number(id)))
}

async function send(userId: number, documentId: number): Promise<void> {
  const isWished = $unsentWishes.get()[documentId]
  // The change was already sent by an earlier turn.
  if (isWished === undefined || $session.get()?.userId !== userId) return
  const isLast = () => $unsentWishes.get()[documentId] === isWished
  const item = { userId, documentId }
  try {
    if (isWished) await ask(({ wishlists }) => wishlists.addToWishlist, { query: item })
    else await ask(({ wishlists }) => wishlists.removeFromWishlist, { body: item })
  } catch (error) {
    if ($session.get()?.userId === userId && isLast()) showWish(documentId, !isWished)
    announceProblem(problemShown(problemOf(error).code))
  }
  if (!isLast()) return
  const { [documentId]: _, ...others } = $unsentWishes.get()
  $unsentWishes.set(others)
}

function problemShown(code: ProblemCode): NoticeProblem {
  if (code === 'invalid_token') return 'wish_logged_out'
  return code === 'wishlist_full' ? 'wish_full' : 'wish_failed'
}
