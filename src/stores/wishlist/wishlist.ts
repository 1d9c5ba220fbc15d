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

/** Whether the server has a wish that another tab has added, and the list does not. */
export const $isBehind = computed(
  [list.$state, $wished, $unsentWishes],
  (state, wished, unsent) => {
    if (state.phase !== 'ready') return false
    const known = new Set(state.value.map(({ document }) => document.id))
    return [...wished].some((id) => !known.has(id) && !(id in unsent))
  },
)

// One call at a time, so that the last change also wins on the server.
const inTurn = createQueue()

let isRequested = false

/** The same as `loadWishlist`, unless this page has read the wishlist before. */
export async function loadWishlistOnce(): Promise<void> {
  if (!isRequested) await loadWishlist()
}

/** Reads the wishlist; does nothing when nobody is logged in. Never rejects. */
export function loadWishlist(): Promise<void> {
  return inTurn(() => {
    if ($session.get()) isRequested = true
    const isFailed = list.$state.get().phase === 'failed'
    return (isFailed ? list.load : list.refresh)(readEntries)
  })
}

async function readEntries(userId: number): Promise<WishlistEntry[]> {
  const [before, unsent] = [$wished.get(), $unsentWishes.get()]
  const entries = await ask(({ wishlists }) => wishlists.getWishlist, { params: { userId } })
  if ($session.get()?.userId !== userId) return entries
  // The answer may lack wishes that were not sent before, or changed meanwhile, here or in another tab.
  const now = $wished.get()
  const changed = [...before, ...now].filter((id) => before.has(id) !== now.has(id))
  const ids = new Set(entries.map(({ document }) => document.id))
  for (const id of [...Object.keys(unsent).map(Number), ...changed])
    now.has(id) ? ids.add(id) : ids.delete(id)
  $wishedIds.set([...ids])
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
