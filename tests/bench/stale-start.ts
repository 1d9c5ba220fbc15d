/**
 * How long a shop with 10 000 documents takes from its start to its first page, with no stale page
 * and with 30 000 of them, and what its visitors notice while those are rendered behind:
 * `node tests/bench/stale-start.ts [documents]`. The stored pages are made up, small and of the right
 * paths, since only their number matters to the start.
 */

import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CATALOGUE_TAG, REFERENCE_TAG } from '../../src/rules/page-tags.ts'
import { openBackend } from '../../src/server/backend.ts'
import { pagePaths } from '../../src/server/catalogue/page-paths.ts'
import { readConfig } from '../../src/server/config.ts'
import { openPageStore, type PageStore } from '../../src/server/publishing/store/page-store.ts'
import { noticed, visit } from '../chaos/visitors.ts'
import { type ShopProcess, spawnShop } from '../support/shop-process.ts'
import { makeCatalogue } from './make-catalogue.ts'

const count = Number(process.argv[2] ?? 10_000)
const dataDir = await mkdtemp(join(tmpdir(), 'karras-stale-'))
const env = { DATA_DIR: dataDir, DEMO: '0', CHAT_MAIL: '0' }
const directory = join(dataDir, 'pages')

try {
  await fill()
  // Only to learn what the build's directory is called.
  await (await spawnShop(env)).stop()
  const [buildId = ''] = (await readdir(directory)).filter((name) => !name.endsWith('.json'))
  const store = openPageStore({ directory, buildId })
  const made = await storeAll(store)
  const rows: Record<string, unknown>[] = []
  for (let n = 0; n < 3; n++) rows.push({ start: `${made} pages, none stale`, ...(await timed()) })
  // It counts changes in its log, which a shop that runs does not read again.
  openPageStore({ directory, buildId }).invalidate([REFERENCE_TAG])
  for (let n = 0; n < 2; n++) rows.push({ start: `${made} pages, all stale`, ...(await timed()) })
  await rename(join(directory, buildId), join(directory, 'an-older-build'))
  rows.push({ start: `${made} pages of another build`, ...(await timed()) })

  const shop = await spawnShop(env)
  const behind = noticed(await visit(shop.url, { visitors: 8, seconds: 15 }))
  const stopped = await stopTime(shop)
  rows.push({ start: 'visitors, while it renders behind', ...behind, 'stop ms': stopped })
  console.table(rows)
} finally {
  await rm(dataDir, { recursive: true, force: true })
}

async function fill() {
  const backend = await openBackend(readConfig({ ...env, PORT: '0' }), () => {})
  await makeCatalogue(backend.deps.database.kysely, dataDir, { count })
  await backend.close()
}

async function storeAll(store: PageStore): Promise<number> {
  const backend = await openBackend(readConfig({ ...env, PORT: '0' }), () => {})
  const body = Buffer.from('<!doctype html><title>made up</title>')
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  let stored = 0
  for await (const path of pagePaths(backend.deps.database)) {
    const tags = [REFERENCE_TAG, CATALOGUE_TAG]
    await store.put({ path, status: 200, body, tags, headers, clock: store.clock() })
    stored++
  }
  await backend.close()
  return stored
}

/** Seconds from the start of the process to its first page, and how long its stop takes. */
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
