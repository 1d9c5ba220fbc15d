import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { type Api, createApi } from '../../src/client/api.ts'
import { httpTransport } from '../../src/client/http.ts'
import { startEmbedded } from '../../src/server/database/embedded.ts'
import { migrationsOf } from '../../src/server/database/migrate.ts'
import { openDatabase } from '../../src/server/database/pool.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { fillDataDir } from '../support/filled-shop.ts'
import { startKonnect } from '../support/konnect.ts'
import { makeNewerTree, NEWER_MIGRATION } from '../support/newer-tree.ts'
import { PATIENCE } from '../support/patience.ts'
import { randomFrom } from '../support/random.ts'
import {
  cleanEnvironment,
  type Launch,
  type ShopProcess,
  spawnShop,
} from '../support/shop-process.ts'
import {
  anAccount,
  faultsIn,
  type Market,
  pricedDocuments,
  shopUntilClosed,
} from '../support/shoppers.ts'

const CUSTOMERS = 4
/** How many calls are sent before the database is killed, and before each step of the upgrade. */
const CALLS_BETWEEN = 40
/** Longer than the balancer takes to notice that a shop stops. */
const DRAIN_SECONDS = 1
const PAGES = ['/', '/fr/shop', '/shop-details/1']

/**
 * Two shops on one database, whose server is killed once, and which are then replaced one after the
 * other by a newer version with one more migration, all while customers pay and visitors look.
 */
test('two shops survive a restart of their database and an upgrade: nothing is lost, doubled or refused', async () => {
  const konnect = await startKonnect({ seed: 1, drop: 0.2, duplicate: 0.2 })
  onTestFinished(() => konnect.stop())
  const home = await aDataDir()
  const server = await startEmbedded({ dataDir: home })
  onTestFinished(() => server.stop())
  const { host, user, database: name } = server.connection
  const url = `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`
  const database = openDatabase(server.connection)
  onTestFinished(() => database.close())

  const balancer = openBalancer()
  onTestFinished(() => balancer.close())
  const env = {
    ...konnect.env,
    DATABASE_URL: url,
    JWT_SECRET: 'the secret that both shops have in common',
    DRAIN_SECONDS: String(DRAIN_SECONDS),
  }
  const start = async (launch?: Launch) => {
    const dataDir = await aDataDir()
    await rm(join(dataDir, 'postgres'), { recursive: true })
    const shop = await spawnShop({ ...env, DATA_DIR: dataDir }, launch)
    onTestFinished(() => shop.kill())
    konnect.callsBackAt(shop.url)
    await balancer.add(shop)
    return shop
  }
  const older = await Promise.all([start(), start()])

  let isClosing = false
  let calls = 0
  const market: Market = {
    konnect,
    random: randomFrom(1),
    documents: await pricedDocuments(await balancer.api()),
    whenOpen: balancer.api,
    onCall: () => calls++,
    isClosing: () => isClosing,
  }
  const accounts = await Promise.all(
    Array.from({ length: CUSTOMERS }, async (_, at) => anAccount(await balancer.api(), at)),
  )
  const shopping = Promise.all(accounts.map((account) => shopUntilClosed(market, account)))
  const looking = look(balancer, () => isClosing)
  const untilMoreCalls = () => {
    const before = calls
    const sent = expect.poll(() => calls, PATIENCE).toBeGreaterThan(before + CALLS_BETWEEN)
    return Promise.race([sent, shopping])
  }

  await untilMoreCalls()
  process.kill(server.pid, 'SIGKILL')
  await untilMoreCalls()

  const newer = temporaryDirectory()
  await makeNewerTree(newer)
  expect(await tryUpdate(newer, { ...env, DATA_DIR: home })).toMatchObject({
    pending: [NEWER_MIGRATION],
    notAdditive: [],
  })
  expect(await migrationsOf(database.kysely)).not.toContain(NEWER_MIGRATION)
  for (const shop of older) {
    await start({ root: newer })
    await untilMoreCalls()
    // It goes on beside the newer one, whose migration it does not know.
    expect((await fetch(`${shop.url}/readyz?for=writes`)).status).toBe(200)
    expect(await shop.stop()).toBe(0)
  }
  await untilMoreCalls()
  isClosing = true
  const acknowledged = await shopping
  const seen = await looking
  await konnect.deliver()
  for (const { id, paid } of konnect.books.values()) if (paid > 0) await konnect.webhook(id)

  expect(await migrationsOf(database.kysely)).toContain(NEWER_MIGRATION)
  const outcome = await faultsIn(database.kysely, konnect, acknowledged)
  expect(outcome, JSON.stringify(outcome)).toMatchObject({ lost: [], doubled: [], isSound: true })
  expect(outcome.acknowledged).toBeGreaterThan(CUSTOMERS)
  expect(seen.failed).toEqual([])
  expect(seen.pages).toBeGreaterThan(PAGES.length)
})

/** What a version says of taking over the running shop. */
async function tryUpdate(root: string, env: Record<string, string>) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['src/server/command-line/main.ts', 'try-update', '--json'],
    { cwd: root, env: cleanEnvironment(env) },
  )
  return JSON.parse(stdout)
}

async function aDataDir(): Promise<string> {
  const directory = temporaryDirectory()
  await fillDataDir(directory)
  return directory
}

/** Looks at pages one after the other until the market closes; notes those that were not sent. */
async function look({ next }: Balancer, isClosing: () => boolean) {
  const failed: string[] = []
  let pages = 0
  while (!isClosing()) {
    for (const path of PAGES) {
      const url = (await next()) + path
      const status = await fetch(url).then(
        (answer) => answer.text().then(() => answer.status),
        (error: Error) => `${error.message} ${error.cause}`,
      )
      pages++
      if (status !== 200) failed.push(`${path}: ${status}`)
    }
  }
  return { pages, failed }
}

type Balancer = ReturnType<typeof openBalancer>

/** Chooses among shops in turn, as a load balancer that asks each whether it is ready. */
function openBalancer() {
  const every = (DRAIN_SECONDS * 1000) / 10
  const ready = new Set<string>()
  const added = new Set<string>()
  let isOpen = true
  let turn = 0

  async function check(url: string): Promise<void> {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) ready.add(url)
    else ready.delete(url)
  }

  async function checkAll(): Promise<void> {
    while (isOpen) {
      await Promise.all([...added].map(check))
      await wait(every)
    }
  }
  void checkAll()

  async function next(): Promise<string> {
    for (;;) {
      const urls = [...ready]
      const url = urls[turn++ % urls.length]
      if (url !== undefined) return url
      await wait(every)
    }
  }

  return {
    next,
    api: async (): Promise<Api> => createApi(httpTransport(await next())),
    async add({ url }: ShopProcess): Promise<void> {
      added.add(url)
      await check(url)
    },
    close() {
      isOpen = false
    },
  }
}
