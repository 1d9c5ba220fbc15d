import { opendir, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Removes the directories beside the kept one: pages of other builds, and those moved aside. It
 * removes one file at a time, since removing tens of thousands at once would delay the files that
 * visitors wait for.
 */
export async function removeDirectoriesBut(kept: string): Promise<void> {
  const parent = dirname(kept)
  for await (const entry of await opendir(parent)) {
    if (entry.isDirectory() && entry.name !== basename(kept)) await remove(join(parent, entry.name))
  }
}

async function remove(directory: string): Promise<void> {
  try {
    for await (const entry of await opendir(directory)) {
      const path = join(directory, entry.name)
      if (entry.isDirectory()) await remove(path)
      else await rm(path, { force: true })
    }
    await rmdir(directory)
  } catch (error) {
    // Another process is removing it, or still writing into it: the next start removes the remains.
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTEMPTY') throw error
  }
}
