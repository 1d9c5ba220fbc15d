import { percentile } from '../support/quantiles.ts'
import { bareFastify } from './support/bare.ts'
import { timesOf } from './support/calls.ts'
import { type Bench, LARGE_CATALOGUE, type Row, row } from './support/part.ts'
import { hasWrk, sideBySide } from './support/wrk.ts'

const DOCUMENT = '/api/documents/7'
const LIST = '/api/documents/paginated?size=12'

/** Documents and lists from the API: their rate beside a bare Fastify, and the time of lists in a large catalogue. */
export async function rows(bench: Bench): Promise<Row[]> {
  const found: Row[] = []
  if (await hasWrk()) found.push(...(await ratios(bench)))
  if (bench.isLarge) found.push(...(await latencies(bench)))
  return found
}

async function ratios(bench: Bench): Promise<Row[]> {
  const shop = await bench.openShop()
  const { bare, document, list } = await sideBySide(
    {
      bare: { url: await bareFastify(bench) },
      document: { url: shop.url, paths: [DOCUMENT] },
      list: { url: shop.url, paths: [LIST] },
    },
    { rounds: bench.rounds },
  )
  const rate = (what: string, { perSecond }: typeof bare, least: number) =>
    row(
      'P13',
      `${what}, to a bare Fastify answer`,
      perSecond / bare.perSecond,
      { least, unit: '×' },
      `${Math.round(perSecond)}/s beside ${Math.round(bare.perSecond)}/s`,
    )
  return [rate('a document by id', document, 0.16), rate('a list of 12 documents', list, 0.08)]
}

const FILTERS = [
  'level=high-school',
  'level=primary-school&rating=3',
  'matiereId=3&niveauId=5',
  'categoryId=2&minPrice=10&maxPrice=20',
  'type=Pour+Enseignant',
  'rating=4&sort=sales',
  'sort=price',
]

/** The time of filtered lists, each of another page than the one before, so that no cache has it. */
async function latencies(bench: Bench): Promise<Row[]> {
  const { url } = await bench.openShop({ documents: LARGE_CATALOGUE })
  const found: Row[] = []
  for (const [callers, atOnce, most] of [
    ['one at a time', 1, 12],
    ['20 at once', 20, 36],
  ] as const) {
    const times = await timesOf({ calls: 300, atOnce }, (at, { call }) =>
      call(`${url}${LIST}&page=${at % 5}&${FILTERS[at % FILTERS.length]}`),
    )
    found.push(
      row(
        'P8',
        `filtered lists of 12 of ${LARGE_CATALOGUE} documents, ${callers}, p95`,
        percentile(times, 0.95),
        { most, unit: 'ms' },
        `p50 ${percentile(times, 0.5).toFixed(1)} ms`,
      ),
    )
  }
  return found
}
