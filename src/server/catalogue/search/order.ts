import type { Sort } from '../../../contract/catalogue.ts'
import type { CatalogueIndex } from './catalogue-index.ts'

/** So many are chosen without sorting all. */
const CHOSEN_MAX = 120

/**
 * The first `count` slots in an order, equal ones by id: the oldest first by the lowest price, else the newest.
 * `scores`: what relevance goes by, before sales.
 */
export function firstOf(
  index: CatalogueIndex,
  slots: readonly number[],
  { sort, scores, count }: { sort: Sort; scores: Uint8Array | undefined; count: number },
): number[] {
  const compare = comparing(index, sort, scores)
  if (count > CHOSEN_MAX) return [...slots].sort(compare).slice(0, count)
  const best: number[] = []
  for (const slot of slots) {
    if (best.length === count && compare(slot, best[count - 1] as number) >= 0) continue
    let [from, to] = [0, best.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (compare(best[middle] as number, slot) < 0) from = middle + 1
      else to = middle
    }
    best.splice(from, 0, slot)
    if (best.length > count) best.pop()
  }
  return best
}

type Compare = (one: number, other: number) => number

function comparing(index: CatalogueIndex, sort: Sort, scores: Uint8Array | undefined): Compare {
  const { ids, prices, sales, ratings, moments } = index
  const lastId: Compare = (a, b) => (ids[b] as number) - (ids[a] as number)
  const most =
    (column: { readonly [slot: number]: number }, equal: Compare): Compare =>
    (a, b) =>
      (column[b] as number) - (column[a] as number) || equal(a, b)
  switch (sort) {
    case 'relevance':
      return scores ? most(scores, most(sales, lastId)) : most(moments, lastId)
    case 'newest':
      return most(moments, lastId)
    case 'price':
      return (a, b) => -most(prices, lastId)(a, b)
    case '-price':
      return most(prices, lastId)
    case 'rating':
      return most(ratings, lastId)
    case 'sales':
      return most(sales, lastId)
  }
}
