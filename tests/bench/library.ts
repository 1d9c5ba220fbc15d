import { readFile, writeFile } from 'node:fs/promises'
import { Agent, get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { dinars } from '../../src/rules/money.ts'
import { PAGE_WIDTHS } from '../../src/rules/reading.ts'
import { cutDownload } from '../support/cut-download.ts'
import { memoryOfTree } from './support/memory.ts'
import { type Bench, median, percentile, type Row } from './support/part.ts'
import { type Backend, type BenchShop, fromTree } from './support/shops.ts'

const DOCUMENTS = 1000
const DOWNLOADS = 50
const READERS = 20
const MEGABYTE = 1024 ** 2
const SIZE = 50 * MEGABYTE
const PAGES = 100
const CUTS = 20
/** The line of each download, in bytes a second: 4 Mbit/s. */
const LINE = MEGABYTE / 2
/** How long the catalogue is called, without others and with them, in milliseconds. */
const SPAN = 6000
const ROUNDS = 5
/** How long a reader looks at a page, in milliseconds. */
const PAGE_TURN = 2000
const FILE = 'bench-library.json'

interface Person {
  readonly id: number
  readonly token: string
}

interface Cast {
  readonly people: readonly Person[]
  readonly large: number
  readonly read: number
}

/** Downloads that are cut, then many downloads and readers at once, beside who looks at the catalogue. */
export async function rows(bench: Bench): Promise<Row[]> {
  // Tokens last for some hours alone.
  const name = `library-${Math.floor(Date.now() / 3_600_000)}`
  const wish = { documents: DOCUMENTS, prepare: { name, write: makeCast } }
  let shop = await bench.openShop(wish)
  const cast = JSON.parse(await readFile(join(shop.dataDir, FILE), 'utf8')) as Cast
  const [who] = cast.people
  if (!who) throw new Error('nobody downloads')
  await timesOf(catalogueOf(shop), SPAN / 3)
  const idle = await memoryOf(shop)

  const url = addressOf(shop, cast, who)
  const stamping = new AbortController()
  const mostOfFirst = watch(shop, stamping.signal)
  const whole = await cutDownload({ url, token: who.token, cuts: [] })
  stamping.abort()
  const first = await mostOfFirst
  const cuts = Array.from({ length: CUTS }, () => Math.ceil(Math.random() * (whole.bytes - 1)))
  const cut = await cutDownload({ url, token: who.token, cuts: cuts.sort((a, b) => a - b) })

  // Another process, which holds nothing of that.
  await shop.stop()
  shop = await bench.openShop(wish)
  // One that has begun its work: what the catalogue alone takes is no memory of downloads.
  const warmed = new AbortController()
  const mostOfCatalogue = watch(shop, warmed.signal)
  await timesOf(catalogueOf(shop), 2 * SPAN)
  warmed.abort()
  const before = await mostOfCatalogue
  const rounds: { alone: number; beside: number }[] = []
  let most = 0
  let sent = 0
  // In turn, since a machine may have more to do at one time than at another.
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await timesOf(catalogueOf(shop), SPAN)
    const leave = new AbortController()
    const memory = watch(shop, leave.signal)
    const load = beginLoad(shop, cast, leave.signal)
    await wait(SPAN / 3)
    const beside = await timesOf(catalogueOf(shop), SPAN)
    leave.abort()
    most = Math.max(most, await memory)
    sent += (await load) / MEGABYTE
    rounds.push({ alone: percentile(alone, 0.95), beside: percentile(beside, 0.95) })
  }

  const load50 = `${DOWNLOADS} downloads at 4 Mbit/s and ${READERS} readers`
  return [
    {
      id: '14',
      what: `downloads of ${SIZE / MEGABYTE} MB cut ${CUTS} times whose hash is right`,
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
      what: `memory of the server with ${load50}, above the most with the catalogue alone`,
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
      what: `the same beside ${load50}, p95`,
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

const addressOf = ({ url }: BenchShop, { large }: Cast, { id }: Person) =>
  `${url}/api/documents/download/${large}/${id}`

async function makeCast({ deps }: Backend, tree: string): Promise<void> {
  const { factories } = await fromTree<typeof import('../support/factories.ts')>(
    tree,
    'tests/support/factories.ts',
  )
  const { adjustWallet, purchase } = await fromTree<
    typeof import('../../src/server/money/money.ts')
  >(tree, 'src/server/money/money.ts')
  const { transaction } = await fromTree<typeof import('../../src/server/database/transaction.ts')>(
    tree,
    'src/server/database/transaction.ts',
  )
  const { aLargePdf } = await fromTree<typeof import('../support/large-pdf.ts')>(
    tree,
    'tests/support/large-pdf.ts',
  )
  const { aPdf } = await fromTree<typeof import('../support/pdf.ts')>(tree, 'tests/support/pdf.ts')
  const made = factories({ ...deps, dataDir: deps.config.dataDir })
  const large = await made.aDocument({ file: aLargePdf(SIZE, PAGES) })
  const read = await made.aDocument({ file: aPdf('Read', 40) })
  const people: Person[] = []
  for (let n = 0; n < DOWNLOADS; n++) {
    const { id, token } = await made.aCustomer()
    const given = { userId: id, amount: dinars(100), note: 'bench' }
    await transaction(deps.database, async (tx) => {
      await adjustWallet(tx, given)
      await purchase(tx, { buyerId: id, documentIds: [large.id, read.id] })
    })
    people.push({ id, token })
  }
  // A shop that has drawn its samples: a thousand at once are no part of this.
  await deps.database.kysely.updateTable('samples').set({ dueAt: null, isDrawn: true }).execute()
  const cast: Cast = { people, large: large.id, read: read.id }
  await writeFile(join(deps.config.dataDir, FILE), JSON.stringify(cast))
}

/** How long each call of an address took, one after the other for so long, in milliseconds. */
async function timesOf(url: string, milliseconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  const until = performance.now() + milliseconds
  while (performance.now() < until) {
    const since = performance.now()
    await readAll(await ask(url, { agent }))
    times.push(performance.now() - since)
    // A visitor, not an attack: the catalogue's part of the processor stays small.
    await wait(20)
  }
  agent.destroy()
  return times
}

/** Has many download and read until the signal, and returns how many bytes came. */
async function beginLoad(shop: BenchShop, cast: Cast, signal: AbortSignal): Promise<number> {
  const received = await Promise.all([
    ...cast.people.slice(0, DOWNLOADS).map((who) => keepDownloading(shop, cast, who, signal)),
    ...cast.people.slice(0, READERS).map((who) => keepReading(shop, cast, who, signal)),
  ])
  return received.reduce((sum, bytes) => sum + bytes, 0)
}

/** Downloads the large file again and again over a line of its own, and returns how many bytes came. */
async function keepDownloading(shop: BenchShop, cast: Cast, who: Person, signal: AbortSignal) {
  let received = 0
  while (!signal.aborted) {
    const answer = await ask(addressOf(shop, cast, who), { token: who.token })
    if (answer.statusCode !== 200) throw new Error(`a download is ${answer.statusCode}`)
    const begun = performance.now()
    let taken = 0
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      taken += chunk.length
      if (signal.aborted) break
      const early = (taken / LINE) * 1000 - (performance.now() - begun)
      if (early > 0) await wait(early)
    }
    answer.destroy()
    received += taken
  }
  return received
}

/** Turns the pages of a document, and returns how many bytes their pictures had. */
async function keepReading(
  { url }: BenchShop,
  { read }: Cast,
  { token }: Person,
  signal: AbortSignal,
) {
  let received = 0
  const answer = await ask(`${url}/api/library/documents/${read}/reading`, { token })
  const body = String(await readAll(answer))
  if (answer.statusCode !== 200) throw new Error(`a reading is ${answer.statusCode}: ${body}`)
  const { pages } = JSON.parse(body) as { pages: string }
  for (let page = 1; !signal.aborted; page = (page % 40) + 1) {
    const picture = await ask(`${url}${pages}${page}-${PAGE_WIDTHS[1]}.webp`)
    if (picture.statusCode !== 200) throw new Error(`a page is ${picture.statusCode}`)
    received += (await readAll(picture)).length
    await wait(PAGE_TURN * (0.5 + Math.random()), null, { signal }).catch(() => {})
  }
  return received
}

function ask(url: string, { token, agent }: { token?: string; agent?: Agent } = {}) {
  const headers = token ? { authorization: `Bearer ${token}` } : {}
  return new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: agent ?? false }, resolve).on('error', reject)
  })
}

async function readAll(answer: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await answer.toArray())
}

/** What a shop and its database hold in memory, each page of it once, in bytes. */
async function memoryOf({ process: { pid } }: BenchShop): Promise<number> {
  const { memory, database } = await memoryOfTree(pid ?? 0)
  return (memory + database) * MEGABYTE
}

/** The most that it has until the signal. */
async function watch(shop: BenchShop, signal: AbortSignal): Promise<number> {
  let most = 0
  while (!signal.aborted) {
    most = Math.max(most, await memoryOf(shop))
    await wait(250)
  }
  return most
}
