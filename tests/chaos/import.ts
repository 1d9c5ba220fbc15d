/**
 * Starts a shop, imports documents into it while visitors read, kills the import three times, and prints how
 * long visitors waited: `node tests/chaos/import.ts [documents]`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnShop } from '../support/shop-process.ts'
import { killImports, writeImport } from './import-kills.ts'
import { merge, summarise, visit, type Waits } from './visitors.ts'

const documents = Number(process.argv[2] ?? 1000)
const VISITORS = 8
const SECONDS = 10
const QUIET_SECONDS = 20

const directory = await mkdtemp(join(tmpdir(), 'karras-import-'))
const dataDir = join(directory, 'data')
const folder = join(directory, 'list')
await writeImport(folder, documents)
const shop = await spawnShop({ DATA_DIR: dataDir, CHAT_MAIL: '0' })
try {
  await shop.says(/^Rendered \d+ pages/m)
  await visit(shop.url, { visitors: VISITORS, seconds: 3 })
  const quiet = await visit(shop.url, { visitors: VISITORS, seconds: QUIET_SECONDS })
  let isOver = false
  const startedAt = performance.now()
  const secondsSoFar = () => Math.round((performance.now() - startedAt) / 1000)
  const importing = killImports(dataDir, folder).finally(() => {
    isOver = true
  })
  const busy: Waits[] = []
  while (!isOver) {
    const waits = await visit(shop.url, { visitors: VISITORS, seconds: SECONDS })
    busy.push(waits)
    console.log(secondsSoFar(), JSON.stringify(summarise(waits)))
  }
  const round = await importing
  const seconds = secondsSoFar()
  const before = summarise(quiet)
  const during = summarise(merge(busy))
  const compared = (kind: 'page' | 'api') => ({
    before: before[kind],
    during: during[kind],
    times: Number((during[kind] / before[kind]).toFixed(2)),
    worst: Math.max(...busy.map((each) => summarise(each)[kind])),
  })
  const { refused } = summarise(merge([quiet, ...busy]))
  // The 95th percentiles in milliseconds: before the import, during it, and in its worst ten seconds.
  const p95 = { page: compared('page'), api: compared('api') }
  console.log(JSON.stringify({ documents, seconds, ...round, p95, refused }))
} finally {
  await shop.stop()
  await rm(directory, { recursive: true, force: true })
}
