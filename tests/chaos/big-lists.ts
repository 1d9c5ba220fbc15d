import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createApi } from '../../src/client/api.ts'
import { httpTransport } from '../../src/client/http.ts'
import { logIn } from '../../src/contract/accounts.ts'
import { listDocuments } from '../../src/contract/catalogue.ts'
import { payFromWallet } from '../../src/contract/wallet.ts'
import { dinars } from '../../src/rules/money.ts'
import { DEMO_PASSWORD } from '../../src/server/demo/demo-accounts.ts'
import { readSecret } from '../../src/server/http/secret.ts'
import { openDatabaseOf } from '../support/embedded-database.ts'
import { factories, type Person } from '../support/factories.ts'
import { LISTS } from '../support/hostile-lists.ts'
import { hostileZip } from '../support/hostile-zips.ts'
import { percentile } from '../support/quantiles.ts'
import { type ShopProcess, spawnShop } from '../support/shop-process.ts'
import { importerOf } from './importer.ts'
import { summarise, visit } from './visitors.ts'

// Manual runs: `node tests/chaos/big-lists.ts [seconds]` prints how long others wait, quiet and while teachers
// import lists that are far too large.

/** The 95th percentiles of others' waits, in milliseconds, and how many were refused. */
interface Round {
  readonly page: number
  readonly api: number
  readonly longest: number
  readonly logIn: number
  readonly payment: number
  readonly refused: number
  /** The most megabytes of memory that the shop held. */
  readonly memory: number
}

interface Outcome {
  readonly quiet: Round
  readonly busy: Round
  /** The problems that each list had, and the one that it must have. */
  readonly lists: readonly { name: string; expected: string; found: readonly string[] }[]
}

/** Runs a shop whose visitors, customers and payers are measured, quiet and while such lists arrive. */
export async function importBigLists({
  seconds,
  fill,
}: {
  seconds: number
  /** Copies a demo shop into an empty directory; without it the first start fills one. */
  fill?: (dataDir: string) => Promise<void>
}): Promise<Outcome> {
  const dataDir = await mkdtemp(join(tmpdir(), 'karras-big-lists-'))
  await fill?.(dataDir)
  const shop = await spawnShop({ DATA_DIR: dataDir, DEMO: '1', CHAT_MAIL: '0' })
  try {
    const { teachers, payers } = await people(dataDir)
    await visit(shop.url, { visitors: 4, seconds: Math.min(3, seconds) })
    // Made beforehand, since making them keeps this process from measuring.
    const zips = Object.values(LISTS).map(({ list }) => hostileZip([list()]))
    const quiet = await measured(shop, payers, { seconds, until: Promise.resolve() })
    const lists: Outcome['lists'][number][] = []
    const importing = Promise.all(
      Object.entries(LISTS).map(async ([name, { problem: expected }], at) => {
        const { begin, last } = importerOf(() => shop.url, (teachers[at] as Person).token)
        await begin(zips[at] as Buffer)
        let ended = await last()
        while (ended.phase === 'checking') {
          await wait(100)
          ended = await last()
        }
        lists.push({ name, expected, found: ended.problems.map(({ code }) => code) })
      }),
    )
    const busy = await measured(shop, payers, { seconds, until: importing })
    await importing
    return { quiet, busy, lists }
  } finally {
    await shop.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A teacher for each list, since an account imports one at a time, and customers with money. */
async function people(dataDir: string) {
  const database = openDatabaseOf(dataDir)
  try {
    const secret = await readSecret({ jwtSecret: null, dataDir })
    const make = factories({ database, secret, dataDir, now: Date.now, firstNumber: 1000 })
    const teachers: Person[] = []
    for (const _ of Object.keys(LISTS)) teachers.push(await make.anOfficeTeacher())
    const payers: Person[] = []
    for (let at = 0; at < 20; at++) payers.push(await make.aCustomer({ balance: dinars(2000) }))
    return { teachers, payers }
  } finally {
    await database.close()
  }
}

/** Lets others use the shop for so many seconds and `until` is done, and measures their waits. */
async function measured(
  shop: ShopProcess,
  payers: Person[],
  { seconds, until }: { seconds: number; until: Promise<unknown> },
): Promise<Round> {
  let isOver = false
  let memory = 0
  const logIns: number[] = []
  const payments: number[] = []
  let refused = 0
  const api = createApi(httpTransport(shop.url))
  const timed = async (times: number[], work: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await work().catch((error) => {
      refused++
      console.error(String(error))
    })
    times.push(performance.now() - startedAt)
  }
  const loggingIn = async () => {
    const body = { username: 'parent@karras.test', password: DEMO_PASSWORD }
    while (!isOver) {
      await timed(logIns, () => api(logIn, { body }))
      await wait(500)
    }
  }
  const paying = async () => {
    const documents = await api(listDocuments, {})
    for (let payer = payers.shift(); payer && !isOver; payer = payers.shift()) {
      const { id: userId, token } = payer
      for (const { id } of documents) {
        if (isOver) break
        const body = { userId, documentIds: [id] }
        const options = { token, idempotencyKey: randomUUID() }
        await timed(payments, () => api(payFromWallet, { body }, options))
        await wait(100)
      }
    }
  }
  const watching = async () => {
    while (!isOver) {
      const status = await readFile(`/proc/${shop.process.pid}/status`, 'utf8').catch(() => '')
      memory = Math.max(memory, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
      await wait(100)
    }
  }
  const others = Promise.all([loggingIn(), paying(), watching()])
  const visitors = visit(shop.url, { visitors: 4, seconds })
  const [waits] = await Promise.all([visitors, until])
  isOver = true
  await others
  const summary = summarise(waits)
  const p95 = (times: readonly number[]) => Number(percentile(times, 0.95).toFixed(1))
  const refusedVisits = Object.values(summary.refused).reduce((sum, count) => sum + count, 0)
  return {
    page: summary.page,
    api: summary.api,
    longest: summary.longest,
    logIn: p95(logIns),
    payment: p95(payments),
    refused: refused + refusedVisits,
    memory: Math.round(memory),
  }
}

if (import.meta.main) {
  const { quiet, busy, lists } = await importBigLists({ seconds: Number(process.argv[2] ?? 20) })
  console.table({ quiet, busy })
  console.table(lists.map((each) => ({ ...each, found: [...new Set(each.found)].join(' ') })))
}
