import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Kysely } from 'kysely'
import { HOUR_MS } from '../../../src/rules/durations.ts'
import type { Schema } from '../../../src/server/database/schema.ts'
import { type ShopProcess, spawnShop } from '../../support/shop-process.ts'

/** This checkout. */
export const ROOT = resolve(import.meta.dirname, '../../..')

/** A shop that is measured. */
export interface BenchShop extends ShopProcess {
  readonly dataDir: string
}

export interface ShopOptions {
  /** Opens an empty shop with so many generated documents; without it, the demo shop with all pages stored. */
  documents?: number
  /**
   * Writes into the database once, before the shop opens: shops with the same `name` and number of documents
   * share a `DATA_DIR`.
   */
  prepare?: { name: string; write(backend: Backend, tree: string): Promise<void> }
  /** Renders all pages of these documents before the shop opens, not while it is measured. */
  isRendered?: boolean
}

/** The opened backend of the measured tree. */
export type Backend = Awaited<
  ReturnType<typeof import('../../../src/server/backend.ts').openBackend>
>

/** What benches import from the measured tree, by path. */
interface Modules {
  'src/server/backend.ts': typeof import('../../../src/server/backend.ts')
  'src/server/config/config.ts': typeof import('../../../src/server/config/config.ts')
  'src/server/database/transaction.ts': typeof import('../../../src/server/database/transaction.ts')
  'src/server/documents/documents.ts': typeof import('../../../src/server/documents/documents.ts')
  'src/server/money/money.ts': typeof import('../../../src/server/money/money.ts')
  'src/server/command-line/open-shop.ts': typeof import('../../../src/server/command-line/open-shop.ts')
  'tests/bench/make-catalogue.ts': typeof import('../make-catalogue.ts')
  'tests/support/factories.ts': typeof import('../../support/factories.ts')
  'tests/support/large-pdf.ts': typeof import('../../support/large-pdf.ts')
  'tests/support/pdf.ts': typeof import('../../support/pdf.ts')
}

/** Imports a module of the measured tree, which may be another checkout with another database schema. */
export function fromTree<Path extends keyof Modules>(
  tree: string,
  path: Path,
): Promise<Modules[Path]> {
  return import(pathToFileURL(join(tree, path)).href)
}

/** A name for `prepare` that changes every hour: what it writes contains tokens, which expire. */
export const hourly = (name: string) => `${name}-${Math.floor(Date.now() / HOUR_MS)}`

/** The environment of every measured shop. */
const ENV = { CHAT_MAIL: '0' }

/** Opens the tree's backend on a directory, without its server, for as long as `work` takes. */
export async function withBackend<Result>(
  tree: string,
  dataDir: string,
  work: (backend: Backend) => Promise<Result>,
): Promise<Result> {
  const { openBackend } = await fromTree(tree, 'src/server/backend.ts')
  const { readConfig } = await fromTree(tree, 'src/server/config/config.ts')
  const config = readConfig({ ...ENV, DATA_DIR: dataDir, DEMO: '0', PORT: '0' })
  const backend = await openBackend(config, () => {})
  try {
    return await work(backend)
  } finally {
    await backend.close()
  }
}

/** Fills an empty directory with a shop of so many generated documents. */
export async function fillCatalogue(tree: string, dataDir: string, count: number): Promise<void> {
  const { makeCatalogue } = await fromTree(tree, 'tests/bench/make-catalogue.ts')
  await withBackend(tree, dataDir, async ({ deps }) => {
    await makeCatalogue(deps.database.kysely, dataDir, { count })
    await markSamplesDrawn(deps.database.kysely)
  })
}

/** Marks all samples as drawn: parts that measure something else would share the machine with a thousand drawings. */
export async function markSamplesDrawn(kysely: Kysely<Schema>): Promise<void> {
  await kysely.updateTable('samples').set({ dueAt: null, isDrawn: true }).execute()
}

/** Opens shops with directories in `home`, each filled once. */
export function shopsIn(home: string, tree: string, log: (line: string) => void) {
  const spawn = async (dataDir: string, DEMO: '0' | '1'): Promise<BenchShop> => {
    const shop = await spawnShop({ ...ENV, DATA_DIR: dataDir, DEMO }, { root: tree })
    return { ...shop, dataDir }
  }

  async function render(dataDir: string, DEMO: '0' | '1'): Promise<void> {
    const shop = await spawn(dataDir, DEMO)
    await shop.says(/^Rendered \d+ pages/m)
    await shop.stop()
  }

  async function fill(dataDir: string, options: ShopOptions): Promise<void> {
    const { documents, prepare, isRendered = false } = options
    if (documents === undefined) {
      log('Filling the demo shop and rendering its pages …')
      await render(dataDir, '1')
    } else {
      log(`Making ${documents} documents …`)
      await fillCatalogue(tree, dataDir, documents)
    }
    if (prepare) await withBackend(tree, dataDir, (backend) => prepare.write(backend, tree))
    if (documents !== undefined && isRendered) await render(dataDir, '0')
  }

  return async (options: ShopOptions = {}): Promise<BenchShop> => {
    const { documents, prepare } = options
    const kind = documents === undefined ? 'demo' : `documents-${documents}`
    const dataDir = join(home, [kind, prepare?.name].filter(Boolean).join('-'))
    if (!existsSync(dataDir)) {
      // Renamed once it is whole, so that an interrupted run leaves no half-filled shop behind.
      const unfinished = `${dataDir}.unfinished`
      await rm(unfinished, { recursive: true, force: true })
      await mkdir(unfinished, { recursive: true })
      await fill(unfinished, options)
      await rename(unfinished, dataDir)
    }
    return spawn(dataDir, documents === undefined ? '1' : '0')
  }
}
