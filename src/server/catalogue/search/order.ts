import type { Sort } from '../../../contract/catalogue.ts'
import type { CatalogueIndex } from './catalogue-index.ts'

/** Up to this number, slots are chosen without sorting all. */
const CHOSEN_MAX = 120

type Column = { readonly [slot: number]: number }

/**
 * The first `count` slots in an order; equal ones by id, newest first, or oldest first when ordered
 * by lowest price. `scores` ranks by relevance, before sales.
 */
export function firstOf(
  index: CatalogueIndex,
  slots: Int32Array,
  { sort, scores, count }: { sort: Sort; scores: Uint8Array | undefined; count: number },
): Int32Array {
  const { ids, prices, sales, ratings, moments } = index.columns()
  const keys: Record<Sort, readonly Column[]> = {
    relevance: scores ? [scores, sales] : [moments],
    newest: [moments],
    price: [prices],
    '-price': [prices],
    rating: [ratings],
    sales: [sales],
  }
  const [first, second = ids] = keys[sort] as [Column, Column?]
  const sign = sort === 'price' ? -1 : 1
  const compare = (a: number, b: number) =>
    sign *
    ((first[b] as number) - (first[a] as number) ||
      (second[b] as number) - (second[a] as number) ||
      (ids[b] as number) - (ids[a] as number))
  if (count > CHOSEN_MAX) return slots.slice().sort(compare).subarray(0, count)

  const best: number[] = []
  let least = Number.NEGATIVE_INFINITY
  for (const slot of slots) {
    // Most slots are not among the first and need no further comparison.
    if (sign * (first[slot] as number) < least) continue
    if (best.length === count && compare(slot, best[count - 1] as number) >= 0) continue
    let [from, to] = [0, best.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (compare(best[middle] as number, slot) < 0) from = middle + 1
      else to = middle
    }
    best.splice(from, 0, slot)
    if (best.length > count) best.pop()
    if (best.length === count) least = sign * (first[best[count - 1] as number] as number)
  }
  return Int32Array.from(best)
}
