import type { DocumentFilters } from '../../../contract/catalogue.ts'
import { type CatalogueIndex, FACETS, type Facet } from './catalogue-index.ts'

/** How many documents each value of a filter would give; a value that is missing gives none. */
export type Counts = Record<Facet, Record<string, number>>

const CODED = ['level', 'niveauId', 'matiereId', 'categoryId', 'type'] as const
const PRICE = 1 << FACETS.indexOf('price')
const RATING = 1 << FACETS.indexOf('rating')
const TEACHER = 1 << FACETS.length

/**
 * The documents that pass every filter, and for each filter how many would with another value of it, the
 * other filters as they are. `slots`: what was found by words; without: the whole catalogue.
 */
export function sift(
  index: CatalogueIndex,
  filters: DocumentFilters,
  slots: readonly number[] | undefined,
): { slots: number[]; counts: Counts } {
  const { alive, codes, values, prices, teachers } = index
  const tallies = FACETS.map((name) => new Int32Array(values[name].values.length + 1))
  const columns = FACETS.map((name) => codes[name])
  const wanted: { bit: number; column: readonly number[]; code: number }[] = []
  for (const name of CODED) {
    const value = filters[name]
    if (value === undefined) continue
    const code = values[name].find(value)
    wanted.push({ bit: 1 << FACETS.indexOf(name), column: codes[name], code })
  }
  const { minPrice = 0, maxPrice = Number.POSITIVE_INFINITY, rating = 0, teacherId } = filters
  const passed: number[] = []

  const total = slots ? slots.length : index.size()
  for (let at = 0; at < total; at++) {
    const slot = slots ? (slots[at] as number) : at
    if (!alive[slot]) continue
    let failed = 0
    for (const { bit, column, code } of wanted) if (column[slot] !== code) failed |= bit
    const price = prices[slot] as number
    if (price < minPrice || price >= maxPrice) failed |= PRICE
    if ((codes.rating[slot] as number) < rating) failed |= RATING
    if (teacherId !== undefined && teachers[slot] !== teacherId) failed |= TEACHER
    if (failed === 0) {
      passed.push(slot)
      for (let facet = 0; facet < columns.length; facet++) {
        const code = (columns[facet] as number[])[slot] as number
        const tally = tallies[facet] as Int32Array
        tally[code] = (tally[code] as number) + 1
      }
    } else if ((failed & (failed - 1)) === 0 && failed !== TEACHER) {
      // Only this filter keeps it out: it counts for this filter's other values.
      const facet = 31 - Math.clz32(failed)
      const code = (columns[facet] as number[])[slot] as number
      const tally = tallies[facet] as Int32Array
      tally[code] = (tally[code] as number) + 1
    }
  }
  return { slots: passed, counts: countsOf(index, tallies) }
}

function countsOf({ values }: CatalogueIndex, tallies: readonly Int32Array[]): Counts {
  const entries = FACETS.map((name, facet) => {
    const tally = [...(tallies[facet] as Int32Array)]
    // "So many stars or more."
    if (name === 'rating') {
      for (let stars = 4; stars >= 0; stars--) {
        tally[stars] = (tally[stars] as number) + (tally[stars + 1] as number)
      }
      delete tally[0]
    }
    const counted = values[name].values.flatMap((value, code) =>
      tally[code] ? [[String(value), tally[code]] as const] : [],
    )
    return [name, Object.fromEntries(counted)] as const
  })
  return Object.fromEntries(entries) as Counts
}
