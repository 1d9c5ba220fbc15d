import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { spawnShop } from './shop-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The `DATA_DIR` of a demo shop that has all its pages, and is closed. */
    filledDataDir: string
  }
}

/**
 * A vitest `globalSetup`: builds the site, so that no test's shop has to, and fills a demo shop once:
 * filling one and rendering its pages takes twelve seconds of a core, copying it none.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'karras-filled-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  try {
    const shop = await spawnShop({ DATA_DIR: dataDir })
    await shop.says(/^Rendered \d+ pages/m)
    await shop.stop()
  } catch (error) {
    await remove()
    throw error
  }
  project.provide('filledDataDir', dataDir)
  return remove
}

/** Fills an empty directory with a copy of that shop, whose database stays its owner's. */
export async function fillDataDir(directory: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${inject('filledDataDir')}/.`, directory])
}
