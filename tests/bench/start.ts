/**
 * Measures how long `npm run build` takes, a shop's first start and its later ones with every page stored
 * and with every page stale, and how much memory it then holds: `node tests/bench/start.ts [directories of
 * other checkouts]`. It removes the builds of each checkout.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { EVERY_PAGE_TAG } from '../../src/rules/page-tags.ts'
import { openPageStore } from '../../src/server/publishing/store/page-store.ts'
import { spawnShop } from '../support/shop-process.ts'
import { memoryOfTree, untilIdle } from './support/memory.ts'
import type { Bench, Row } from './support/part.ts'

const run = promisify(execFile)
interface Starts {
  /** Seconds. */
  build: number
  first: number
  later: number
  stale: number
  /** Megabytes of the shop's process, and of its database's processes, shared pages counted once. */
  memory: number
  database: number
}

/** Measures a checkout whose packages are installed. */
async function measureStart(root: string): Promise<Starts> {
  const directory = resolve(root)
  const dataDir = await mkdtemp(join(tmpdir(), 'karras-start-'))
  const env = { DATA_DIR: dataDir, DEMO: '1', CHAT_MAIL: '0' }
  const start = async () => {
    const startedAt = performance.now()
    const shop = await spawnShop(env, { root: directory })
    return { shop, seconds: secondsSince(startedAt) }
  }
  try {
    await rm(join(directory, 'dist'), { recursive: true, force: true })
    const buildStartedAt = performance.now()
    const build = join(directory, 'src/server/publishing/build/build.ts')
    await run(process.execPath, [build], { cwd: directory })
    const built = secondsSince(buildStartedAt)

    await rm(join(directory, 'dist'), { recursive: true, force: true })
    const first = await start()
    await first.shop.says(/^Rendered \d+ pages/m)
    // It draws the samples of all documents.
    await untilIdle(first.shop)
    await first.shop.stop()

    const later = await start()
    await untilIdle(later.shop)
    const memory = await memoryOfTree(later.shop.process.pid ?? 0)
    await later.shop.stop()

    const pages = join(dataDir, 'pages')
    const [buildId = ''] = (await readdir(pages)).filter((name) => !name.endsWith('.json'))
    openPageStore({ directory: pages, buildId }).invalidate([EVERY_PAGE_TAG])
    const stale = await start()
    await stale.shop.stop()
    return {
      build: built,
      first: first.seconds,
      later: later.seconds,
      stale: stale.seconds,
      ...memory,
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

function secondsSince(startedAt: number): number {
  return Number(((performance.now() - startedAt) / 1000).toFixed(1))
}

/** How soon a shop is open, and how much memory it holds. */
export async function rows({ tree }: Bench): Promise<Row[]> {
  const found = await measureStart(tree)
  const memory = found.memory + found.database
  const note = `${found.memory} MB without its database`
  return [
    { id: 'P10', what: '`npm run build`', value: found.build, unit: 's', most: 30 },
    {
      id: 'P10',
      what: 'the first start, which builds the site',
      value: found.first,
      unit: 's',
      most: 30,
    },
    { id: 'P10', what: 'a later start', value: found.later, unit: 's', most: 3 },
    { id: 'P10', what: 'a start with every page stale', value: found.stale, unit: 's', most: 3 },
    {
      id: 'P10',
      what: 'memory, idle, with the database',
      value: memory,
      unit: 'MB',
      most: 300,
      note,
    },
  ]
}

if (import.meta.main) {
  const roots = process.argv.length > 2 ? process.argv.slice(2) : ['.']
  const rows: unknown[] = []
  for (const root of roots) rows.push({ root, ...(await measureStart(root)) })
  console.table(rows)
}
