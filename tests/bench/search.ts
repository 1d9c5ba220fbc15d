import { type Bench, percentile, type Row } from './support/part.ts'
import type { BenchShop } from './support/shops.ts'

const DOCUMENTS = 100_000
const CALLS = 100
const CALLERS = 20
/** Words of the made-up titles, each looked for with another number. */
const WORDS = [
  'الكسور',
  'المعادلات',
  'الضوء',
  'قرطاج',
  'fractions',
  'cellule',
  'fonctions',
  'verbe',
]

const KINDS = [
  { name: 'suggestions', most: 8, query: (word: string) => `title=${word.slice(0, 4)}&size=6` },
  { name: 'ranked search', most: 20, query: (word: string) => `title=${word}&size=12` },
  {
    name: 'search with a typing mistake',
    most: 40,
    // A letter is doubled.
    query: (word: string) => `title=${word.slice(0, 3)}${word.slice(2)}&size=12`,
  },
] as const

/** How long searches take in a large catalogue, over HTTP. */
export async function rows(bench: Bench): Promise<Row[]> {
  if (!bench.isLarge) return []
  const shop = await bench.openShop({ documents: DOCUMENTS })
  const found: Row[] = []
  for (const { name, most, query } of KINDS) {
    for (const callers of [1, CALLERS]) {
      const times = await timesOf(shop, callers, query)
      found.push({
        id: 'P8',
        what: `${name}, ${callers === 1 ? 'one at a time' : `${callers} at once`}, p95`,
        value: percentile(times, 0.95),
        unit: 'ms',
        most: callers === 1 ? most : 3 * most,
        note: `p50 ${percentile(times, 0.5).toFixed(1)} ms`,
      })
    }
  }
  return found
}

/** Each call is for another page of another word, so that no answer is one that was given before. */
async function timesOf(
  { url }: BenchShop,
  callers: number,
  query: (word: string) => string,
): Promise<number[]> {
  const times: number[] = []
  let asked = 0
  const call = async () => {
    while (asked < CALLS + callers) {
      const at = asked++
      const word = WORDS[at % WORDS.length] ?? ''
      const page = Math.floor(at / WORDS.length)
      const since = performance.now()
      const response = await fetch(
        `${url}/api/documents/paginated?${encodeURI(query(word))}&page=${page}`,
        {
          headers: { 'x-forwarded-for': `203.0.113.${(at % 250) + 1}` },
        },
      )
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`${word} is answered with ${response.status}`)
      // The first ones find nothing compiled or read.
      if (at >= callers) times.push(performance.now() - since)
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  return times
}
