/**
 * Starts a shop, imports documents into it while visitors read, kills the import three times, and prints how
 * long visitors waited: `node tests/chaos/import.ts [documents]`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnShop } from '../support/shop-process.ts'
import { killImports, writeImport } from './import-kills.ts'
import { compare, merge, reading, summarise, visit, type Waits } from './visitors.ts'

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
  const errands = reading(shop.url)
  await visit({ visitors: VISITORS, seconds: 3, errands })
  const quiet = await visit({ visitors: VISITORS, seconds: QUIET_SECONDS, errands })
  let isOver = false
  const startedAt = performance.now()
  const secondsSoFar = () => Math.round((performance.now() - startedAt) / 1000)
  const importing = killImports(dataDir, folder).finally(() => {
    isOver = true
  })
  const busy: Waits[] = []
  while (!isOver) {
    const waits = await visit({ visitors: VISITORS, seconds: SECONDS, errands })
    busy.push(waits)
    console.log(secondsSoFar(), JSON.stringify(summarise(waits)))
  }
  const round = await importing
  console.log(JSON.stringify({ documents, seconds: secondsSoFar(), ...round }))
  // Then the worst ten seconds of each errand.
  const rows = compare('import', quiet, merge(busy))
  const worst = (what: string) => Math.max(...busy.map((each) => summarise(each)[what]?.p95 ?? 0))
  console.table(rows.map((row) => ({ ...row, 'worst p95 ms': worst(row.what) })))
} finally {
  await shop.stop()
  await rm(directory, { recursive: true, force: true })
}
