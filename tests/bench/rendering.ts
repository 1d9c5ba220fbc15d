import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type ShopProcess, spawnShop } from '../support/shop-process.ts'
import { type Bench, LARGE_CATALOGUE, type Row, row } from './support/part.ts'
import { fillCatalogue } from './support/shops.ts'

const run = promisify(execFile)

/** Processor seconds so far and resident megabytes of a shop's process, without its database. */
async function usageOf({ process: { pid } }: ShopProcess) {
  const { stdout } = await run('ps', ['-o', 'cputimes=,rss=', '-p', String(pid)])
  const [cpu = 0, memory = 0] = stdout.trim().split(/\s+/).map(Number)
  return { cpu, memory: Math.round(memory / 1024) }
}

/** The time for a page, and the growth of memory, of a shop that renders all its pages in the background. */
export async function rows({ tree, isLarge }: Bench): Promise<Row[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'karras-rendering-'))
  const memory: number[] = []
  try {
    await fillCatalogue(tree, dataDir, isLarge ? LARGE_CATALOGUE : 1000)
    const env = { DATA_DIR: dataDir, DEMO: '0', CHAT_MAIL: '0' }
    const shop = await spawnShop(env, { root: tree })
    const openedAt = performance.now()
    const cpuBefore = (await usageOf(shop)).cpu
    const sampling = setInterval(async () => memory.push((await usageOf(shop)).memory), 500)
    try {
      await shop.says(/Rendered \d+ pages/)
      const taken = performance.now() - openedAt
      const pages = Number(/Rendered (\d+) pages/.exec(shop.output())?.[1])
      const cpu = ((await usageOf(shop)).cpu - cpuBefore) * 1000
      const [middle = Number.NaN, end = Number.NaN] = [memory[memory.length >> 1], memory.at(-1)]
      const rendered = `${pages.toLocaleString('en-US')} pages, without visitors`
      return [
        row(
          'P7',
          'a page rendered and stored behind',
          taken / pages,
          { most: 7, unit: 'ms' },
          `${rendered}; ${(cpu / pages).toFixed(2)} ms of the shop’s processor`,
        ),
        row(
          'P7',
          'memory at the end beside the middle of the rendering',
          end / middle,
          { most: 1.1, unit: '×' },
          `${end} MB, without the database`,
        ),
      ]
    } finally {
      clearInterval(sampling)
      await shop.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
