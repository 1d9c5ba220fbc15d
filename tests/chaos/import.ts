/**
 * Imports documents into a shop of its own while visitors read, kills the import three times, and
 * prints what visitors noticed: `node tests/chaos/import.ts [documents]`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnShop } from '../support/shop-process.ts'
import { killImports, writeImport } from './import-kills.ts'
import { type Noticed, visit } from './visitors.ts'

const documents = Number(process.argv[2] ?? 1000)
const VISITORS = 8
const SECONDS = 10

const directory = await mkdtemp(join(tmpdir(), 'karras-import-'))
const dataDir = join(directory, 'data')
const folder = join(directory, 'list')
await writeImport(folder, documents)
const shop = await spawnShop({ DATA_DIR: dataDir, CHAT_MAIL: '0' })
try {
  await shop.says(/^Rendered \d+ pages/m)
  await visit(shop.url, { visitors: VISITORS, seconds: 3 })
  const quiet = await visit(shop.url, { visitors: VISITORS, seconds: SECONDS })
  let isOver = false
  const startedAt = performance.now()
  const secondsSoFar = () => Math.round((performance.now() - startedAt) / 1000)
  const importing = killImports(dataDir, folder).finally(() => {
    isOver = true
  })
  const busy: Noticed[] = []
  while (!isOver) {
    const noticed = await visit(shop.url, { visitors: VISITORS, seconds: SECONDS })
    busy.push(noticed)
    console.log(secondsSoFar(), JSON.stringify(noticed))
  }
  const round = await importing
  const seconds = secondsSoFar()
  const compared = (kind: 'page' | 'api') => {
    const worst = Math.max(...busy.map((each) => each[kind]))
    return { before: quiet[kind], worst, times: Number((worst / quiet[kind]).toFixed(2)) }
  }
  const refused: Record<string, number> = {}
  for (const each of [quiet, ...busy]) {
    for (const [status, count] of Object.entries(each.refused)) {
      refused[status] = (refused[status] ?? 0) + count
    }
  }
  // The 95th percentiles, of the ten quiet seconds and of the worst ten, in milliseconds.
  const p95 = { page: compared('page'), api: compared('api') }
  console.log(JSON.stringify({ documents, seconds, ...round, p95, refused }))
} finally {
  await shop.stop()
  await rm(directory, { recursive: true, force: true })
}
