import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { pagePaths } from '../../src/server/catalogue/page-paths.ts'
import { openDatabaseOf } from './embedded-database.ts'
import { type ShopProcess, spawnShop } from './shop-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The `DATA_DIR` of a demo shop with all pages rendered, which is closed. */
    filledDataDir: string
    /** The output of its starts: one stopped, one killed, and one that rendered all pages. */
    filledShopStarts: readonly Start[]
  }
}

interface Start {
  /** Output until it was open. */
  readonly opening: string
  /** Its response to a page request while it was rendering others. */
  readonly status: number
  /** Its exit code; null if it was killed. */
  readonly code: number | null
  readonly output: string
}

interface FilledShop {
  readonly dataDir: string
  readonly starts: readonly Start[]
}

/** Vitest loads this file again for every project: their shared state lives outside of it. */
const run = globalThis as { filledShop?: { readonly made: Promise<FilledShop>; users: number } }

/** A vitest `globalSetup`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { dataDir, starts, release } = await filledShop()
  project.provide('filledDataDir', dataDir)
  project.provide('filledShopStarts', starts)
  return release
}

/**
 * The demo shop of a run: builds the site, so that no test's shop has to, and fills the shop once
 * for all projects, since filling it and rendering its pages takes twelve seconds of a core, and
 * copying it none. The tests of stops and kills during a start use its output. The last user to
 * release it removes it.
 */
export async function filledShop(): Promise<FilledShop & { release(): Promise<void> }> {
  run.filledShop ??= { made: fill(), users: 0 }
  const filled = run.filledShop
  const made = await filled.made.catch((error: unknown) => {
    if (run.filledShop === filled) run.filledShop = undefined
    throw error
  })
  filled.users += 1
  return {
    ...made,
    async release() {
      filled.users -= 1
      if (filled.users > 0) return
      run.filledShop = undefined
      await rm(made.dataDir, { recursive: true, force: true })
    },
  }
}

async function fill(): Promise<FilledShop> {
  const dataDir = await mkdtemp(join(tmpdir(), 'karras-filled-'))
  const starts: Start[] = []
  const start = async (end: (shop: ShopProcess) => Promise<number | null>) => {
    const shop = await spawnShop({ DATA_DIR: dataDir })
    const opening = shop.output()
    const status = await statusOf(`${shop.url}/fr/shop-details/3`)
    const code = await end(shop)
    starts.push({ opening, status, code, output: shop.output() })
  }
  try {
    await start((shop) => shop.stop())
    await start(async (shop) => {
      await shop.kill()
      return null
    })
    await start(async (shop) => {
      await shop.says(/^Rendered \d+ pages/m)
      await settle(shop, dataDir)
      return shop.stop()
    })
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true })
    throw error
  }
  return { dataDir, starts }
}

/**
 * Waits until the samples are extracted, which changes pages, and every changed page is rendered
 * again. Samples that are due later, since they could not be read now, are not waited for.
 */
async function settle({ url }: ShopProcess, dataDir: string): Promise<void> {
  const database = openDatabaseOf(dataDir)
  const { kysely } = database
  try {
    const isDue = () =>
      kysely.selectFrom('samples').select('documentId').where('dueAt', '<=', new Date())
    while (await isDue().executeTakeFirst()) await delay(250)
    for await (const path of pagePaths(database)) await statusOf(url + path)
  } finally {
    await database.close()
  }
}

/**
 * The shop's response status for a page; one that is too busy right after its start is asked again.
 */
async function statusOf(url: string): Promise<number> {
  // Page counts exclude bots.
  const { status } = await fetch(url, { headers: { 'user-agent': 'test bot' } })
  if (status !== 503) return status
  await delay(250)
  return statusOf(url)
}

/** Fills an empty directory with a copy of that shop, whose database keeps its owner. */
export async function fillDataDir(directory: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${inject('filledDataDir')}/.`, directory])
}
