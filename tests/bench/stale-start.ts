/**
 * Measures how long a shop with 10 000 documents takes from its start to its first page, with no stale page
 * and with 30 000 of them, and how long visitors wait while those are rendered in the background:
 * `node tests/bench/stale-start.ts [documents]`. The stored pages are placeholders at the right paths, since
 * only their number matters to the start.
 */
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CATALOGUE_TAG, REFERENCE_TAG } from '../../src/rules/page-tags.ts'
import { pagePaths } from '../../src/server/catalogue/page-paths.ts'
import { openPageStore, type PageStore } from '../../src/server/publishing/store/page-store.ts'
import { reading, summarise, visit } from '../chaos/visitors.ts'
import { type ShopProcess, spawnShop } from '../support/shop-process.ts'
import { fillCatalogue, ROOT, withBackend } from './support/shops.ts'

const count = Number(process.argv[2] ?? 10_000)
const dataDir = await mkdtemp(join(tmpdir(), 'karras-stale-'))
const env = { DATA_DIR: dataDir, DEMO: '0', CHAT_MAIL: '0' }
const directory = join(dataDir, 'pages')

try {
  await fillCatalogue(ROOT, dataDir, count)
  // Started once so that the directory of its build exists.
  await (await spawnShop(env)).stop()
  const [buildId = ''] = await readdir(directory)
  const store = openPageStore({ directory, buildId })
  const stored = await storeAll(store)
  const rows: Record<string, unknown>[] = []
  for (let n = 0; n < 3; n++)
    rows.push({ start: `${stored} pages, none stale`, ...(await timed()) })
  // While no shop runs: a running one would not read the store's log of changes again.
  openPageStore({ directory, buildId }).invalidate([REFERENCE_TAG])
  for (let n = 0; n < 2; n++) rows.push({ start: `${stored} pages, all stale`, ...(await timed()) })
  await rename(join(directory, buildId), join(directory, 'an-older-build'))
  rows.push({ start: `${stored} pages of another build`, ...(await timed()) })

  const shop = await spawnShop(env)
  const errands = reading(shop.url)
  const { page, api } = summarise(await visit({ visitors: 8, seconds: 15, errands }))
  const stopped = await stopTime(shop)
  const longest = Math.max(page.longest, api.longest)
  rows.push({
    start: 'visitors, during rendering',
    page: page.p95,
    api: api.p95,
    longest,
    'stop ms': stopped,
  })
  console.table(rows)
} finally {
  await rm(dataDir, { recursive: true, force: true })
}

/** Stores a placeholder for every page; returns how many there are. */
async function storeAll(store: PageStore): Promise<number> {
  const body = Buffer.from('<!doctype html><title>placeholder</title>')
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const tags = [REFERENCE_TAG, CATALOGUE_TAG]
  return withBackend(ROOT, dataDir, async ({ deps }) => {
    let stored = 0
    for await (const path of pagePaths(deps.database)) {
      await store.put({ path, status: 200, body, tags, headers, clock: store.clock() })
      stored++
    }
    return stored
  })
}

/** Seconds from the start of the process until it is open and until its first page; milliseconds of its stop. */
async function timed() {
  const startedAt = performance.now()
  const shop = await spawnShop(env)
  const open = performance.now() - startedAt
  const answer = await fetch(`${shop.url}/fr/shop`)
  await answer.text()
  const page = performance.now() - startedAt
  if (answer.status !== 200) throw new Error(`The first page is ${answer.status}.`)
  return { 'open s': open / 1000, 'first page s': page / 1000, 'stop ms': await stopTime(shop) }
}

async function stopTime(shop: ShopProcess): Promise<number> {
  const startedAt = performance.now()
  await shop.stop()
  return Math.round(performance.now() - startedAt)
}
