/**
 * Measures what rendering and storing a page costs: `node tests/bench/rendering.ts [documents] [folder …]`. Fills
 * a shop with documents, so that nine of ten pages are details, and measures the time and memory in which it
 * renders them all in the background. Each folder is another built checkout, measured in turn; by default this
 * one. `PROFILE=<folder>` writes a profile of each shop there; `VISITORS=<n>` lets visitors read meanwhile.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { reading, summarise, visit } from '../chaos/visitors.ts'
import { type ShopProcess, spawnShop } from '../support/shop-process.ts'
import { type Bench, LARGE_CATALOGUE, type Row } from './support/part.ts'
import { fillCatalogue, ROOT } from './support/shops.ts'

interface Options {
  documents: number
  /** The measured checkout. */
  root?: string
  /** How many visitors read pages and make calls meanwhile. */
  visitors?: number
  /** The folder for a profile of the shop. */
  profile?: string | undefined
}

/**
 * Lets a shop render each of its pages once in the background. `ms a page` is wall time, `CPU ms a page`
 * processor time of the shop without its database; memory is in megabytes.
 */
async function measureRendering(options: Options) {
  const { documents, root = ROOT, visitors = 0, profile } = options
  const dataDir = await mkdtemp(path.join(tmpdir(), 'karras-rendering-'))
  const env = { DATA_DIR: dataDir, DEMO: '0', CHAT_MAIL: '0' }
  const memory: number[] = []
  try {
    await fillCatalogue(root, dataDir, documents)
    const nodeOptions = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
    const shop = await spawnShop(env, { root, nodeOptions })
    const openedAt = performance.now()
    const cpuBefore = (await usageOf(shop)).cpu
    const sampling = setInterval(async () => memory.push((await usageOf(shop)).memory), 500)
    try {
      const done = shop.says(/Rendered \d+ pages/)
      const waits = visitors > 0 ? await visitUntil(done, shop.url, visitors) : await done
      const seconds = (performance.now() - openedAt) / 1000
      const pages = Number(/Rendered (\d+) pages/.exec(shop.output())?.[1])
      const cpu = (await usageOf(shop)).cpu - cpuBefore
      return {
        pages,
        'ms a page': round((seconds * 1000) / pages),
        'CPU ms a page': round((cpu * 1000) / pages),
        'pages a second': round(pages / seconds),
        'memory in the middle': memory[memory.length >> 1],
        'memory at the end': memory.at(-1),
        ...waits,
      }
    } finally {
      clearInterval(sampling)
      await shop.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Lets visitors read until `done`; the worst of their 95th percentiles over rounds of five seconds. */
async function visitUntil(done: Promise<void>, url: string, visitors: number) {
  let isDone = false
  void done.then(() => (isDone = true))
  const errands = reading(url)
  const rounds: ReturnType<typeof summarise<'page' | 'api'>>[] = []
  while (!isDone) rounds.push(summarise(await visit({ visitors, seconds: 5, errands })))
  const worst = (name: 'page' | 'api') => Math.max(...rounds.map((round) => round[name].p95))
  return { 'visitors’ p95, pages': worst('page'), 'visitors’ p95, calls': worst('api') }
}

const run = promisify(execFile)

/** Processor seconds so far and resident megabytes of a shop's process, without its database. */
async function usageOf({ process: { pid } }: ShopProcess) {
  const { stdout } = await run('ps', ['-o', 'cputimes=,rss=', '-p', String(pid)])
  const [cpu = 0, memory = 0] = stdout.trim().split(/\s+/).map(Number)
  return { cpu, memory: Math.round(memory / 1024) }
}

const round = (value: number) => Number(value.toFixed(2))

/** The time for a page, and the growth of memory, of a shop that renders all its pages in the background. */
export async function rows({ tree, isLarge }: Bench): Promise<Row[]> {
  const documents = isLarge ? LARGE_CATALOGUE : 1000
  const found = await measureRendering({ documents, root: tree })
  const pages = `${found.pages.toLocaleString('en-US')} pages`
  return [
    {
      id: 'P7',
      what: 'a page rendered and stored behind',
      value: found['ms a page'],
      unit: 'ms',
      most: 7,
      note: `${pages}, without visitors; ${found['CPU ms a page']} ms of the shop’s processor`,
    },
    {
      id: 'P7',
      what: 'memory at the end beside the middle of the rendering',
      value: (found['memory at the end'] ?? Number.NaN) / (found['memory in the middle'] ?? 1),
      unit: '×',
      most: 1.1,
      note: `${found['memory at the end']} MB, without the database`,
    },
  ]
}

if (import.meta.main) {
  const [, , count = '1000', ...roots] = process.argv
  const rows: Record<string, unknown> = {}
  for (const root of roots.length > 0 ? roots : [ROOT]) {
    rows[root] = await measureRendering({
      documents: Number(count),
      root: path.resolve(root),
      visitors: Number(process.env.VISITORS ?? 0),
      profile: process.env.PROFILE,
    })
  }
  console.table(rows)
}
