import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ShopProcess, spawnShop } from '../../support/shop-process.ts'

/** A shop that is measured. */
export interface BenchShop extends ShopProcess {
  readonly dataDir: string
}

export interface ShopWish {
  /** An empty shop with so many made-up documents; without it, the demo shop with all its pages stored. */
  documents?: number
  /** Its environment beyond the usual one. */
  env?: Record<string, string>
  /**
   * Writes into the database before the shop opens, once for each `name`: shops with the same name and number of documents share
   * a `DATA_DIR`.
   */
  prepare?: { name: string; write(backend: Backend, tree: string): Promise<void> }
}

/** The opened backend of the measured tree. */
export type Backend = Awaited<
  ReturnType<typeof import('../../../src/server/backend.ts').openBackend>
>

const USUAL = { CHAT_MAIL: '0' }

/** Imports a module of the measured tree, which may be another checkout than this one. */
export function fromTree<Module>(tree: string, path: string): Promise<Module> {
  return import(pathToFileURL(join(tree, path)).href)
}

/** Opens shops whose directories stand in `home`, each filled once. */
export function shopsIn(home: string, tree: string, say: (line: string) => void) {
  const spawn = async (dataDir: string, own: Record<string, string>): Promise<BenchShop> => {
    const env = { ...USUAL, DATA_DIR: dataDir, ...own }
    return { ...(await spawnShop(env, { root: tree })), dataDir }
  }

  async function withBackend(dataDir: string, work: (backend: Backend) => Promise<void>) {
    const { openBackend } = await fromTree<typeof import('../../../src/server/backend.ts')>(
      tree,
      'src/server/backend.ts',
    )
    const { readConfig } = await fromTree<typeof import('../../../src/server/config.ts')>(
      tree,
      'src/server/config.ts',
    )
    const config = readConfig({ ...USUAL, DATA_DIR: dataDir, DEMO: '0', PORT: '0' })
    const backend = await openBackend(config, () => {})
    try {
      await work(backend)
    } finally {
      await backend.close()
    }
  }

  async function fill(dataDir: string, { documents, prepare }: ShopWish): Promise<void> {
    if (documents === undefined) {
      say('Filling the demo shop and rendering its pages …')
      const shop = await spawn(dataDir, { DEMO: '1' })
      await shop.says(/^Rendered \d+ pages/m)
      await shop.stop()
    } else {
      say(`Making ${documents} documents …`)
      const { makeCatalogue } = await fromTree<typeof import('../make-catalogue.ts')>(
        tree,
        'tests/bench/make-catalogue.ts',
      )
      await withBackend(dataDir, ({ deps }) =>
        makeCatalogue(deps.database.kysely, dataDir, { count: documents }),
      )
    }
    if (prepare) await withBackend(dataDir, (backend) => prepare.write(backend, tree))
  }

  return async (wish: ShopWish = {}): Promise<BenchShop> => {
    const kind = wish.documents === undefined ? 'demo' : `documents-${wish.documents}`
    const dataDir = join(home, [kind, wish.prepare?.name].filter(Boolean).join('-'))
    if (!existsSync(dataDir)) {
      // A directory under its name is a whole one, also after a run that was cut off.
      const unfinished = `${dataDir}.unfinished`
      await rm(unfinished, { recursive: true, force: true })
      await mkdir(unfinished, { recursive: true })
      await fill(unfinished, wish)
      await rename(unfinished, dataDir)
    }
    return spawn(dataDir, { DEMO: wish.documents === undefined ? '1' : '0', ...wish.env })
  }
}
