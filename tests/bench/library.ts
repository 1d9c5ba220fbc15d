import { readFile, writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { dinars } from '../../src/rules/money.ts'
import { cutDownload } from '../support/cut-download.ts'
import { median, percentile } from '../support/quantiles.ts'
import {
  type Cast,
  DOWNLOADS,
  downloadOf,
  type Person,
  READ_PAGES,
  READERS,
  startBuyers,
} from './support/buyers.ts'
import { memoryOf, peakMemory } from './support/memory.ts'
import type { Bench, Row } from './support/part.ts'
import { readAll, request } from './support/request.ts'
import {
  type Backend,
  type BenchShop,
  fromTree,
  hourly,
  markSamplesDrawn,
} from './support/shops.ts'

const DOCUMENTS = 1000
const MEGABYTE = 1024 ** 2
const FILE_BYTES = 50 * MEGABYTE
const FILE_PAGES = 100
const CUTS = 20
/** How long the catalogue is called, alone and beside the load, in milliseconds. */
const SPAN = 6000
const ROUNDS = 5
const CAST_FILE = 'bench-library.json'

/** Downloads that are cut, then many downloads and readers at once beside a visitor of the catalogue. */
export async function rows(bench: Bench): Promise<Row[]> {
  const prepare = { name: hourly('library'), write: makeCast }
  const options = { documents: DOCUMENTS, prepare, isRendered: true }
  let shop = await bench.openShop(options)
  const cast = JSON.parse(await readFile(join(shop.dataDir, CAST_FILE), 'utf8')) as Cast
  const [person] = cast.people
  if (!person) throw new Error('nobody downloads')
  await timesOf(catalogueOf(shop), SPAN / 3)
  const idle = await memoryOf(shop)

  const url = downloadOf(shop.url, cast, person)
  const stamping = new AbortController()
  const stampingPeak = peakMemory(shop, stamping.signal)
  const whole = await cutDownload({ url, token: person.token, cuts: [] })
  stamping.abort()
  const first = await stampingPeak
  const cuts = Array.from({ length: CUTS }, () => Math.ceil(Math.random() * (whole.bytes - 1)))
  const cut = await cutDownload({ url, token: person.token, cuts: cuts.sort((a, b) => a - b) })

  // A new process, without the memory that those downloads used.
  await shop.stop()
  shop = await bench.openShop(options)
  // Warmed up by the catalogue, whose own memory should not count as that of downloads.
  const warming = new AbortController()
  const cataloguePeak = peakMemory(shop, warming.signal)
  await timesOf(catalogueOf(shop), 2 * SPAN)
  warming.abort()
  const before = await cataloguePeak
  const rounds: { alone: number; beside: number }[] = []
  let most = 0
  let sent = 0
  // In turn, since the machine may be busier at one time than at another.
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await timesOf(catalogueOf(shop), SPAN)
    const endBuyers = startBuyers(shop.url, cast)
    // Not while the catalogue is called: reading the memory holds up the shop and its callers.
    most = Math.max(most, await peakMemory(shop, AbortSignal.timeout(SPAN / 3)))
    const beside = await timesOf(catalogueOf(shop), SPAN)
    most = Math.max(most, await peakMemory(shop, AbortSignal.timeout((2 * SPAN) / 3)))
    sent += (await endBuyers()) / MEGABYTE
    rounds.push({ alone: percentile(alone, 0.95), beside: percentile(beside, 0.95) })
  }

  const load = `${DOWNLOADS} downloads at 4 Mbit/s and ${READERS} readers`
  return [
    {
      id: '14',
      what: `downloads of ${FILE_BYTES / MEGABYTE} MB cut ${CUTS} times whose hash is right`,
      value: cut.sha256 === whole.sha256 && cut.resumed === new Set(cuts).size ? 1 : 0,
      unit: '',
      least: 1,
    },
    {
      id: '–',
      what: 'memory of the server while the first one is stamped and sent, above an idle one',
      value: (first - idle) / MEGABYTE,
      unit: 'MB',
      note: 'once for each file',
    },
    {
      id: '14',
      what: `memory of the server with ${load}, above the most with the catalogue alone`,
      value: (most - before) / MEGABYTE,
      unit: 'MB',
      most: 150,
      note: `${Math.round(before / MEGABYTE)} MB before; ${Math.round(sent)} MB were sent`,
    },
    {
      id: '–',
      what: 'a page of the catalogue, alone, p95',
      value: median(rounds.map(({ alone }) => alone)),
      unit: 'ms',
    },
    {
      id: '–',
      what: `the same beside ${load}, p95`,
      value: median(rounds.map(({ beside }) => beside)),
      unit: 'ms',
    },
    {
      id: '14',
      what: 'the second to the first, median of the rounds',
      value: median(rounds.map(({ alone, beside }) => beside / alone)),
      unit: '×',
      most: 1.3,
    },
  ]
}

const catalogueOf = ({ url }: BenchShop) => `${url}/api/documents?page=0&size=12`

async function makeCast({ deps }: Backend, tree: string): Promise<void> {
  const { factories } = await fromTree(tree, 'tests/support/factories.ts')
  const { adjustWallet, purchase } = await fromTree(tree, 'src/server/money/money.ts')
  const { transaction } = await fromTree(tree, 'src/server/database/transaction.ts')
  const { aLargePdf } = await fromTree(tree, 'tests/support/large-pdf.ts')
  const { aPdf } = await fromTree(tree, 'tests/support/pdf.ts')
  const made = factories({ ...deps, dataDir: deps.config.dataDir })
  const large = await made.aDocument({ file: aLargePdf(FILE_BYTES, FILE_PAGES) })
  const read = await made.aDocument({ file: aPdf('Read', READ_PAGES) })
  const people: Person[] = []
  for (let n = 0; n < DOWNLOADS; n++) {
    const { id, token } = await made.aCustomer()
    const credit = { userId: id, amount: dinars(100), note: 'bench' }
    await transaction(deps.database, async (tx) => {
      await adjustWallet(tx, credit)
      await purchase(tx, { buyerId: id, documentIds: [large.id, read.id] })
    })
    people.push({ id, token })
  }
  await markSamplesDrawn(deps.database.kysely)
  const cast: Cast = { people, large: large.id, read: read.id }
  await writeFile(join(deps.config.dataDir, CAST_FILE), JSON.stringify(cast))
}

/** Calls a URL sequentially for so long; returns the milliseconds of each call. */
async function timesOf(url: string, milliseconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  const until = performance.now() + milliseconds
  while (performance.now() < until) {
    const startedAt = performance.now()
    await readAll(await request(url, { agent }))
    times.push(performance.now() - startedAt)
    // A pause as between a visitor's calls, so that the catalogue's share of the processor stays small.
    await wait(20)
  }
  agent.destroy()
  return times
}
