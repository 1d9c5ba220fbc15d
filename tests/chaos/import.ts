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
  const importing = killImports(dataDir, folder).finally(() => {
    isOver = true
  })
  const busy: Noticed[] = []
  while (!isOver) busy.push(await visit(shop.url, { visitors: VISITORS, seconds: SECONDS }))
  const round = await importing
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const worst = (kind: 'page' | 'api') => Math.max(...busy.map((each) => each[kind]))
  console.table([
    { when: 'before', page: quiet.page, api: quiet.api, refused: quiet.refused },
    {
      when: 'worst 10 s of it',
      page: worst('page'),
      api: worst('api'),
      refused: busy.reduce((sum, { refused }) => sum + refused, 0),
    },
  ])
  console.log(JSON.stringify({ documents, seconds, ...round }))
} finally {
  await shop.stop()
  await rm(directory, { recursive: true, force: true })
}
