// Apart from the rules of bundles, which the checkout loads on a first visit.

/**
 * Items of an order as they are listed: first what was sold singly, so that it is never taken for a part of a
 * bundle above it, then what was sold by each bundle.
 */
export function byBundle<Item extends { readonly bundleId?: number | null | undefined }>(
  items: readonly Item[],
): { bundleId: number | null; items: Item[] }[] {
  const groups = Map.groupBy(items, ({ bundleId }) => bundleId ?? null)
  return [...groups]
    .map(([bundleId, of]) => ({ bundleId, items: of }))
    .sort((a, b) => Number(a.bundleId !== null) - Number(b.bundleId !== null))
}
