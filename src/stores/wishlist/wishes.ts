import { computed, readonlyType } from 'nanostores'
import { $session } from '../session/session.ts'
import { $unsentWishes, $wishedIds } from '../user-data/user-data.ts'

/**
 * The ids on the user's wishlist, as the server last returned them, with the changes made since;
 * empty when logged out or unknown.
 */
export const $wished = readonlyType(
  computed($wishedIds, (ids): ReadonlySet<number> => new Set(ids)),
)

/** Called by the heart button: puts a document on the wishlist, or takes it off. */
export function toggleWish(documentId: number): void {
  wish(documentId, !$wished.get().has(documentId))
}

/**
 * Puts a document on the wishlist, or takes it off. The change is shown at once; `stores/sync.ts`
 * sends it, and it is undone with a notice if the server refuses it.
 */
export function wish(documentId: number, isWished: boolean): void {
  if (!$session.get()) return
  // First, because another tab that shows the wish must know that the server does not have it yet.
  $unsentWishes.set({ ...$unsentWishes.get(), [documentId]: isWished })
  showWish(documentId, isWished)
}

export function showWish(documentId: number, isWished: boolean): void {
  $wishedIds.set(withWish($wishedIds.get() ?? [], documentId, isWished))
}

/** The ids on a wishlist, newest first, after a document was added or removed. */
function withWish(
  ids: readonly number[],
  documentId: number,
  isWished: boolean,
): readonly number[] {
  const others = ids.filter((id) => id !== documentId)
  return isWished ? [documentId, ...others] : others
}
