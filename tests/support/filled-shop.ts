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

/** Vitest loads this file anew for every project: what they share stands outside of it. */
const run = globalThis as { filledShop?: { readonly dataDir: Promise<string>; users: number } }

/** A vitest `globalSetup`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { dataDir, release } = await filledShop()
  project.provide('filledDataDir', dataDir)
  return release
}

/**
 * The `DATA_DIR` of a run's demo shop: builds the site, so that no test's shop has to, and fills the
 * shop once for all projects, since filling it and rendering its pages takes twelve seconds of a core,
 * copying it none. Whoever released it last has removed it.
 */
export async function filledShop(): Promise<{ dataDir: string; release(): Promise<void> }> {
  run.filledShop ??= { dataDir: fill(), users: 0 }
  const filled = run.filledShop
  const dataDir = await filled.dataDir.catch((error: unknown) => {
    if (run.filledShop === filled) run.filledShop = undefined
    throw error
  })
  filled.users += 1
  return {
    dataDir,
    async release() {
      filled.users -= 1
      if (filled.users > 0) return
      run.filledShop = undefined
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function fill(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'karras-filled-'))
  try {
    const shop = await spawnShop({ DATA_DIR: dataDir })
    await shop.says(/^Rendered \d+ pages/m)
    await shop.stop()
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true })
    throw error
  }
  return dataDir
}

/** Fills an empty directory with a copy of that shop, whose database stays its owner's. */
export async function fillDataDir(directory: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${inject('filledDataDir')}/.`, directory])
}
