import { readFile, writeFile } from 'node:fs/promises'
import { Agent, get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { dinars } from '../../src/rules/money.ts'
import { PAGE_WIDTHS } from '../../src/rules/reading.ts'
import { cutDownload } from '../support/cut-download.ts'
import { median, percentile } from '../support/quantiles.ts'
import { memoryOf, peakMemory } from './support/memory.ts'
import type { Bench, Row } from './support/part.ts'
import {
  type Backend,
  type BenchShop,
  fromTree,
  hourly,
  markSamplesDrawn,
} from './support/shops.ts'

const DOCUMENTS = 1000
const DOWNLOADS = 50
const READERS = 20
const MEGABYTE = 1024 ** 2
const FILE_BYTES = 50 * MEGABYTE
const FILE_PAGES = 100
const CUTS = 20
/** The line of each download, in bytes a second: 4 Mbit/s. */
const LINE = MEGABYTE / 2
/** How long the catalogue is called, alone and beside the load, in milliseconds. */
const SPAN = 6000
const ROUNDS = 5
const READ_PAGES = 40
/** How long a reader stays on a page on average, in milliseconds. */
const PAGE_TURN = 2000
const CAST_FILE = 'bench-library.json'

interface Person {
  readonly id: number
  readonly token: string
}

interface Cast {
  readonly people: readonly Person[]
  /** The documents that are downloaded and read, by id. */
  readonly large: number
  readonly read: number
}

/** Downloads that are cut, then many downloads and readers at once beside a visitor of the catalogue. */
export async function rows(bench: Bench): Promise<Row[]> {
  const prepare = { name: hourly('library'), write: makeCast }
  const options = { documents: DOCUMENTS, prepare }
  let shop = await bench.openShop(options)
  const cast = JSON.parse(await readFile(join(shop.dataDir, CAST_FILE), 'utf8')) as Cast
  const [person] = cast.people
  if (!person) throw new Error('nobody downloads')
  await timesOf(catalogueOf(shop), SPAN / 3)
  const idle = await memoryOf(shop)

  const url = downloadOf(shop, cast, person)
  const stamping = new AbortController()
  const stampingPeak = peakMemory(shop, stamping.signal)
  const whole = await cutDownload({ url, token: person.token, cuts: [] })
  stamping.abort()
  const first = await stampingPeak
  const cuts = Array.from({ length: CUTS }, () => Math.ceil(Math.random() * (whole.bytes - 1)))
  const cut = await cutDownload({ url, token: person.token, cuts: cuts.sort((a, b) => a - b) })

  // A new process, which holds none of the memory that those downloads took.
  await shop.stop()
  shop = await bench.openShop(options)
  // Warmed up by the catalogue, whose own memory is not to count as that of downloads.
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
    const loading = new AbortController()
    const peak = peakMemory(shop, loading.signal)
    const load = loadUntil(loading.signal, shop, cast)
    await wait(SPAN / 3)
    const beside = await timesOf(catalogueOf(shop), SPAN)
    loading.abort()
    most = Math.max(most, await peak)
    sent += (await load) / MEGABYTE
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

const downloadOf = ({ url }: BenchShop, { large }: Cast, { id }: Person) =>
  `${url}/api/documents/download/${large}/${id}`

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

/** Calls an address one call after another for so long; returns the milliseconds that each took. */
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

/** Lets many people download and read until the signal; returns how many bytes they received. */
async function loadUntil(signal: AbortSignal, shop: BenchShop, cast: Cast): Promise<number> {
  const received = await Promise.all([
    ...cast.people.slice(0, DOWNLOADS).map((each) => keepDownloading(shop, cast, each, signal)),
    ...cast.people.slice(0, READERS).map((each) => keepReading(shop, cast, each, signal)),
  ])
  return received.reduce((sum, bytes) => sum + bytes, 0)
}

/** Downloads the large file again and again at the speed of `LINE`; returns how many bytes arrived. */
async function keepDownloading(shop: BenchShop, cast: Cast, person: Person, signal: AbortSignal) {
  let received = 0
  while (!signal.aborted) {
    const answer = await request(downloadOf(shop, cast, person), { token: person.token })
    if (answer.statusCode !== 200) {
      throw new Error(`a download is answered with ${answer.statusCode}`)
    }
    const startedAt = performance.now()
    let bytes = 0
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (signal.aborted) break
      const early = (bytes / LINE) * 1000 - (performance.now() - startedAt)
      if (early > 0) await wait(early)
    }
    answer.destroy()
    received += bytes
  }
  return received
}

/** Turns the pages of a document; returns how many bytes their pictures had. */
async function keepReading(
  { url }: BenchShop,
  { read }: Cast,
  { token }: Person,
  signal: AbortSignal,
) {
  let received = 0
  const answer = await request(`${url}/api/library/documents/${read}/reading`, { token })
  const body = String(await readAll(answer))
  if (answer.statusCode !== 200) {
    throw new Error(`a reading is answered with ${answer.statusCode}: ${body}`)
  }
  const { pages } = JSON.parse(body) as { pages: string }
  for (let page = 1; !signal.aborted; page = (page % READ_PAGES) + 1) {
    const picture = await request(`${url}${pages}${page}-${PAGE_WIDTHS[1]}.webp`)
    if (picture.statusCode !== 200) throw new Error(`a page is answered with ${picture.statusCode}`)
    received += (await readAll(picture)).length
    await wait(PAGE_TURN * (0.5 + Math.random()), null, { signal }).catch(() => {})
  }
  return received
}

function request(url: string, { token, agent }: { token?: string; agent?: Agent } = {}) {
  const headers = token ? { authorization: `Bearer ${token}` } : {}
  return new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: agent ?? false }, resolve).on('error', reject)
  })
}

async function readAll(answer: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await answer.toArray())
}
