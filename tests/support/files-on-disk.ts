import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestApp } from './app.ts'

/** Every file of this shop, complete or partial, in any directory. */
export async function filesOnDisk(app: TestApp): Promise<string[]> {
  const { dataDir } = app.deps.config
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}
