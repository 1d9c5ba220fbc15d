import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EVERY_PAGE_TAG } from '../../src/rules/page-tags.ts'
import { openPageStore } from '../../src/server/publishing/store/page-store.ts'
import { spawnShop } from '../support/shop-process.ts'
import { memoryOfTree, untilIdle } from './support/memory.ts'
import { type Bench, type Row, row } from './support/part.ts'

const run = promisify(execFile)

/** How soon a shop is open, and how much memory it holds; removes the builds of the checkout. */
export async function rows({ tree }: Bench): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'karras-start-'))
  const start = () => spawnShop({ DATA_DIR: dataDir, DEMO: '1', CHAT_MAIL: '0' }, { root: tree })
  const removeBuilds = () => rm(join(tree, 'dist'), { recursive: true, force: true })
  const found: Row[] = []
  async function timed<Result>(what: string, most: number, work: () => Promise<Result>) {
    const startedAt = performance.now()
    const result = await work()
    found.push(row('P10', what, (performance.now() - startedAt) / 1000, { most, unit: 's' }))
    return result
  }
  try {
    await removeBuilds()
    const build = join(tree, 'src/server/publishing/build/build.ts')
    await timed('`npm run build`', 30, () => run(process.execPath, [build], { cwd: tree }))

    await removeBuilds()
    const first = await timed('the first start, which builds the site', 30, start)
    await first.says(/^Rendered \d+ pages/m)
    // It draws the samples of all documents.
    await untilIdle(first)
    await first.stop()

    const later = await timed('a later start', 3, start)
    await untilIdle(later)
    const { memory, database } = await memoryOfTree(later.process.pid ?? 0)
    await later.stop()

    const pages = join(dataDir, 'pages')
    const [buildId = ''] = (await readdir(pages)).filter((name) => !name.endsWith('.json'))
    openPageStore({ directory: pages, buildId }).invalidate([EVERY_PAGE_TAG])
    const stale = await timed('a start with every page stale', 3, start)
    await stale.stop()

    const what = 'memory, idle, with the database'
    const note = `${memory} MB without its database`
    return [...found, row('P10', what, memory + database, { most: 300, unit: 'MB' }, note)]
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
