import type { DocumentFilters } from '../../../contract/catalogue.ts'
import { type CatalogueIndex, CODED, FACETS, type Facet } from './catalogue-index.ts'

/** How many documents each value of a filter would give; a missing value gives none. */
export type Counts = Record<Facet, Record<string, number>>

/** An active filter: whether the document in a slot passes it. */
interface Check {
  /** null for a filter whose values are not counted. */
  readonly facet: Facet | null
  readonly column: { readonly [slot: number]: number }
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/**
 * The documents that pass every filter, and how many each filter would give with each other value,
 * the other filters unchanged. `slots`: the documents found by words; the whole catalogue without
 * it.
 */
export function sift(
  index: CatalogueIndex,
  filters: DocumentFilters,
  slots: ArrayLike<number> | undefined,
): { slots: Int32Array; counts: Counts } {
  const checks = checksOf(index, filters)
  const { alive } = index.columns()
  const total = slots ? slots.length : index.size()
  const passed = new Int32Array(total)
  let passing = 0
  /** By check: the documents that only this one excludes. */
  const kept = checks.map(() => [] as number[])
  for (let at = 0; at < total; at++) {
    const slot = slots ? (slots[at] as number) : at
    if (alive[slot] === 0) continue
    let failed = -1
    let failures = 0
    for (let check = 0; check < checks.length; check++) {
      const { column, from, to } = checks[check] as Check
      const value = column[slot] as number
      if (value >= from && value < to) continue
      failed = check
      failures++
    }
    if (failures === 0) passed[passing++] = slot
    else if (failures === 1) (kept[failed] as number[]).push(slot)
  }
  const found = passed.subarray(0, passing)
  const counted = FACETS.map((facet) => {
    const others = checks.flatMap((check, at) => (check.facet === facet ? [kept[at] ?? []] : []))
    return [facet, countBy(index, facet, [found, ...others])] as const
  })
  return { slots: found, counts: Object.fromEntries(counted) as Counts }
}

function checksOf(index: CatalogueIndex, filters: DocumentFilters): Check[] {
  const columns = index.columns()
  const checks: Check[] = []
  for (const facet of CODED) {
    const value = filters[facet]
    if (value === undefined) continue
    const code = index.values[facet].find(value)
    checks.push({ facet, column: columns[facet], from: code, to: code + 1 })
  }
  const { minPrice, maxPrice, rating, teacherId } = filters
  const to = Number.POSITIVE_INFINITY
  if (minPrice !== undefined || maxPrice !== undefined) {
    const band = { from: minPrice ?? 0, to: maxPrice ?? to }
    checks.push({ facet: 'price', column: columns.prices, ...band })
  }
  if (rating !== undefined)
    checks.push({ facet: 'rating', column: columns.rating, from: rating, to })
  if (teacherId !== undefined) {
    checks.push({ facet: null, column: columns.teachers, from: teacherId, to: teacherId + 1 })
  }
  return checks
}

function countBy(
  index: CatalogueIndex,
  facet: Facet,
  lists: readonly ArrayLike<number>[],
): Record<string, number> {
  const { values } = index.values[facet]
  const column = index.columns()[facet]
  const tally = new Int32Array(values.length)
  for (const list of lists) {
    for (let at = 0; at < list.length; at++) {
      const code = column[list[at] as number] as number
      tally[code] = (tally[code] as number) + 1
    }
  }
  if (facet === 'rating') {
    // Each count means "so many stars or more"; 0 stars is no filter.
    for (let stars = tally.length - 2; stars > 0; stars--) {
      tally[stars] = (tally[stars] as number) + (tally[stars + 1] as number)
    }
    tally[0] = 0
  }
  const counted = values.flatMap((value, code) =>
    tally[code] ? [[String(value), tally[code]] as const] : [],
  )
  return Object.fromEntries(counted)
}
