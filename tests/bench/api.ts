import { request } from 'node:http'
import { percentile } from '../support/quantiles.ts'
import { bareFastify } from './support/bare.ts'
import { type Bench, LARGE_CATALOGUE, type Row } from './support/part.ts'
import { hasWrk, sideBySide } from './support/wrk.ts'

const DOCUMENT = '/api/documents/7'
const LIST = '/api/documents/paginated?size=12'
/**
 * How many calls are timed; each has another filter or page than the one before, so that no cache
 * answers it.
 */
const CALLS = 300
const CALLERS = 20

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
  const row = (what: string, perSecond: number, least: number): Row => ({
    id: 'P13',
    what: `${what}, to a bare Fastify answer`,
    value: perSecond / bare.perSecond,
    unit: '×',
    least,
    note: `${Math.round(perSecond)}/s beside ${Math.round(bare.perSecond)}/s`,
  })
  return [
    row('a document by id', document.perSecond, 0.16),
    row('a list of 12 documents', list.perSecond, 0.08),
  ]
}

async function latencies(bench: Bench): Promise<Row[]> {
  const shop = await bench.openShop({ documents: LARGE_CATALOGUE })
  const one = await timesOf(shop.url, 1)
  const many = await timesOf(shop.url, CALLERS)
  const row = (callers: string, times: readonly number[], most: number): Row => ({
    id: 'P8',
    what: `filtered lists of 12 of ${LARGE_CATALOGUE} documents, ${callers}, p95`,
    value: percentile(times, 0.95),
    unit: 'ms',
    most,
    note: `p50 ${percentile(times, 0.5).toFixed(1)} ms`,
  })
  return [row('one at a time', one, 12), row(`${CALLERS} at once`, many, 36)]
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

/** The milliseconds that each call of a list takes with so many callers at once. */
async function timesOf(url: string, callers: number): Promise<number[]> {
  const times: number[] = []
  let started = 0
  const call = async () => {
    while (started < CALLS + callers) {
      const at = started++
      const path = `/api/documents/paginated?size=12&page=${at % 5}&${FILTERS[at % FILTERS.length]}`
      const startedAt = performance.now()
      await read(url + path)
      // The first call of each caller warms up: nothing is compiled or cached yet.
      if (at >= callers) times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  return times
}

function read(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { 'accept-encoding': 'br' } }, (response) => {
      response.on('error', reject)
      response.on('end', () =>
        response.statusCode === 200
          ? resolve()
          : reject(new Error(`${response.statusCode} ${url}`)),
      )
      response.resume()
    })
      .on('error', reject)
      .end()
  })
}
