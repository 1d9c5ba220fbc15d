import { readFile, writeFile } from 'node:fs/promises'
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
import { openCaller } from './support/calls.ts'
import { memoryOf, peakMemory } from './support/memory.ts'
import { type Bench, type Row, row } from './support/part.ts'
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
  await timesFor(SPAN / 3, catalogueOf(shop))
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
  await timesFor(2 * SPAN, catalogueOf(shop))
  warming.abort()
  const before = await cataloguePeak
  const rounds: { alone: number; beside: number }[] = []
  let most = 0
  let sent = 0
  // In turn, since the machine may be busier at one time than at another.
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await timesFor(SPAN, catalogueOf(shop))
    const endBuyers = startBuyers(shop.url, cast)
    // Not while the catalogue is called: reading the memory holds up the shop and its callers.
    most = Math.max(most, await peakMemory(shop, AbortSignal.timeout(SPAN / 3)))
    const beside = await timesFor(SPAN, catalogueOf(shop))
    most = Math.max(most, await peakMemory(shop, AbortSignal.timeout((2 * SPAN) / 3)))
    sent += (await endBuyers()) / MEGABYTE
    rounds.push({ alone: percentile(alone, 0.95), beside: percentile(beside, 0.95) })
  }

  const load = `${DOWNLOADS} downloads at 4 Mbit/s and ${READERS} readers`
  const inMB = (what: string, bytes: number, note: string, most?: number) =>
    row(most ? '14' : '–', what, bytes / MEGABYTE, { unit: 'MB', ...(most && { most }) }, note)
  const p95 = (what: string, of: 'alone' | 'beside') =>
    row('–', `${what}, p95`, median(rounds.map((round) => round[of])), { unit: 'ms' })
  const isWhole = cut.sha256 === whole.sha256 && cut.resumed === new Set(cuts).size
  const downloads = `downloads of ${FILE_BYTES / MEGABYTE} MB cut ${CUTS} times`
  const ratio = median(rounds.map(({ alone, beside }) => beside / alone))
  return [
    row('14', `${downloads} whose hash is right`, isWhole ? 1 : 0, { least: 1 }),
    inMB(
      'memory of the server while the first one is stamped and sent, above an idle one',
      first - idle,
      'once for each file',
    ),
    inMB(
      `memory of the server with ${load}, above the most with the catalogue alone`,
      most - before,
      `${Math.round(before / MEGABYTE)} MB before; ${Math.round(sent)} MB were sent`,
      150,
    ),
    p95('a page of the catalogue, alone', 'alone'),
    p95(`the same beside ${load}`, 'beside'),
    row('14', 'the second to the first, median of the rounds', ratio, { most: 1.3, unit: '×' }),
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
async function timesFor(milliseconds: number, url: string): Promise<number[]> {
  const caller = openCaller()
  const times: number[] = []
  const until = performance.now() + milliseconds
  while (performance.now() < until) {
    const startedAt = performance.now()
    await caller.call(url)
    times.push(performance.now() - startedAt)
    // A pause as between a visitor's calls, so that the catalogue's share of the processor stays small.
    await wait(20)
  }
  caller.close()
  return times
}
