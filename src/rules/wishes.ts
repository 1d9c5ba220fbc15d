/** The ids on a wishlist, newest first, after a document was added or removed. */
export function withWish(
  ids: readonly number[],
  documentId: number,
  isWished: boolean,
): readonly number[] {
  const others = ids.filter((id) => id !== documentId)
  return isWished ? [documentId, ...others] : others
}
