/**
 * Measures how long the figures of a shop with many sales take:
 * `node tests/bench/figures.ts [order lines] [documents]`, by default 1 000 000 lines of 20 000 documents
 * over two years. Then measures what counting one page costs the hot path.
 */
import type { IncomingMessage } from 'node:http'
import { tunisianDay } from '../../src/rules/tunisia-time.ts'
import { keepAllSums, readFigures, readRankings } from '../../src/server/figures/figures.ts'
import { fillSales } from './fill-sales.ts'
import { makeCatalogue } from './make-catalogue.ts'
import { aBackend, printTimes } from './support/backend.ts'

const lines = Number(process.argv[2] ?? 1_000_000)
const documents = Number(process.argv[3] ?? 20_000)
const BUYERS = 50_000

const since = (start: number) => `${Math.round(performance.now() - start)} ms`

const { deps, close } = await aBackend()
try {
  const { kysely } = deps.database
  await makeCatalogue(kysely, deps.config.dataDir, { count: documents })
  const start = performance.now()
  await fillSales(deps.database, { lines, documents, buyers: BUYERS })
  console.log(`filled with ${lines} lines: ${since(start)}`)

  const summing = performance.now()
  await keepAllSums(deps)
  console.log(`all days summed, once: ${since(summing)}`)
  const at = tunisianDay(new Date())
  for (const unit of ['day', 'month', 'year'] as const) {
    await printTimes(`figures of a ${unit}`, 5, () => readFigures(deps, { unit, at }))
    await printTimes(`rankings of a ${unit}`, 5, () => readRankings(deps, { unit, at }))
  }
  await printTimes('figures of the year before', 5, () =>
    readFigures(deps, { unit: 'year', at: `${Number(at.slice(0, 4)) - 1}-06-01` }),
  )
  countPages()
} finally {
  await close()
}

function countPages(): void {
  const headers = {
    host: 'shop.example',
    'user-agent':
      'Mozilla/5.0 (Linux; Android 14; SM-A155F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36',
    'sec-fetch-site': 'none',
    'sec-fetch-dest': 'document',
  }
  const request = {
    method: 'GET',
    url: '/fr/shop-details/12',
    headers,
  } as unknown as IncomingMessage
  const often = 1_000_000
  const start = performance.now()
  for (let n = 0; n < often; n++) deps.visits.page(request, '/fr/shop-details/12', false)
  const nanoseconds = ((performance.now() - start) / often) * 1e6
  console.log(`counting a page: ${Math.round(nanoseconds)} ns`)
}
