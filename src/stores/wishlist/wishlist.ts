import { atom, computed, readonlyType } from 'nanostores'
import type { WishlistEntry } from '../../contract/wishlists.ts'
import type { NewItem } from '../../rules/cart.ts'
import { $session } from '../account/session.ts'
import { $wishedIds } from '../account/user-data.ts'
import { ask } from '../shared/backend.ts'
import { openDialog } from '../shared/dialogs.ts'
import { announceWishProblem } from '../shared/notices.ts'
import { logOnly, type Problem, problemOf } from '../shared/problem.ts'

export type { WishlistEntry } from '../../contract/wishlists.ts'

/** The ids on the user's wishlist, as last told or just wished; empty when logged out or unknown. */
export const $wished = readonlyType(
  computed($wishedIds, (ids): ReadonlySet<number> => new Set(ids)),
)

/** The wishlist in one of its states; an empty list is `ready`. */
export type Wishlist =
  | { phase: 'loading' }
  | { phase: 'failed'; problem: Problem }
  | { phase: 'ready'; entries: readonly WishlistEntry[] }

const $list = atom<Wishlist>({ phase: 'loading' })

/** What the page shows: an entry that was taken off here or in another tab is gone at once. */
export const $wishlist = computed([$list, $wished], (list, wished): Wishlist => {
  if (list.phase !== 'ready') return list
  return { phase: 'ready', entries: list.entries.filter(({ document }) => wished.has(document.id)) }
})

/** Whether there is a wish, from another tab, that the list does not have yet. */
export const $isBehind = computed([$list, $wished], (list, wished) => {
  if (list.phase !== 'ready') return false
  const known = new Set(list.entries.map(({ document }) => document.id))
  return [...wished].some((id) => !known.has(id))
})

// One call at a time, so that the last wish wins also at the server.
let line: Promise<unknown> = Promise.resolve()
function inTurn(work: () => Promise<void>): Promise<void> {
  const done = line.then(work)
  line = done.catch(() => undefined)
  return done
}

/** What the visitor wants and the server does not know yet: on the list or off it. */
const pending = new Map<number, boolean>()

function keep(documentId: number, isWished: boolean): void {
  const others = ($wishedIds.get() ?? []).filter((id) => id !== documentId)
  $wishedIds.set(isWished ? [documentId, ...others] : others)
}

let isAsked = false

/** The same as `loadWishlist` where this page has not asked yet. */
export async function loadWishlistOnce(): Promise<void> {
  if (!isAsked) await loadWishlist()
}

/** Reads the wishlist; does nothing when nobody is logged in. Never rejects. */
export function loadWishlist(): Promise<void> {
  return read(true)
}

/** When another tab's wish is looked for: it is told here before the server has it (ms). */
const CATCH_UP_AFTER_MS = [0, 500, 2000]

/** Reads what another tab has wished; only at last the server's word counts against it. */
export async function catchUp(): Promise<void> {
  for (const delay of CATCH_UP_AFTER_MS) {
    await new Promise((resolve) => setTimeout(resolve, delay))
    if ($isBehind.get()) await read(false)
  }
  if ($isBehind.get()) await read(true)
}

function read(isFinal: boolean): Promise<void> {
  return inTurn(async () => {
    const userId = $session.get()?.userId
    if (userId === undefined) return
    isAsked = true
    if ($list.get().phase === 'failed') $list.set({ phase: 'loading' })
    try {
      const entries = await ask(({ wishlists }) => wishlists.getWishlist, { params: { userId } })
      if ($session.get()?.userId !== userId) return
      // What is wished meanwhile waits for its turn, and is not to be forgotten.
      const ids = new Set(entries.map(({ document }) => document.id))
      for (const [id, isWished] of pending) isWished ? ids.add(id) : ids.delete(id)
      if (isFinal) $wishedIds.set([...ids])
      $list.set({ phase: 'ready', entries })
    } catch (error) {
      logOnly('wishlist')(error)
      const problem = problemOf(error)
      const isShown = $list.get().phase === 'ready' && problem.status !== 401
      if (!isShown) $list.set({ phase: 'failed', problem })
    }
  })
}

/**
 * The heart: puts a document on the wishlist or takes it off. Shown at once, and taken back with a
 * notice where the server refuses. Logged out it asks to log in: by a dialog of its own on a card,
 * by the anonymous modal on the details page (section 4).
 */
export function toggleWish(item: NewItem, place: 'card' | 'details'): void {
  if (!$session.get()) {
    openDialog({ kind: place === 'card' ? 'login-required' : 'anonymous-shopping', item: null })
    return
  }
  wish(item.documentId, !$wished.get().has(item.documentId))
}

/** Wishes a document, or no longer. */
export function wish(documentId: number, isWished: boolean): void {
  const userId = $session.get()?.userId
  if (userId === undefined) return
  keep(documentId, isWished)
  pending.set(documentId, isWished)
  void inTurn(() => send(userId, documentId))
}

async function send(userId: number, documentId: number): Promise<void> {
  const isWished = pending.get(documentId)
  // Sent by an earlier turn, which took the last of several wishes.
  if (isWished === undefined) return
  pending.delete(documentId)
  const item = { userId, documentId }
  try {
    if (isWished) await ask(({ wishlists }) => wishlists.addToWishlist, { query: item })
    else await ask(({ wishlists }) => wishlists.removeFromWishlist, { body: item })
  } catch (error) {
    if ($session.get()?.userId === userId && !pending.has(documentId)) keep(documentId, !isWished)
    announceWishProblem(problemOf(error).code)
  }
}
