import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { sharedWork } from '../concurrency/shared-work.ts'
import type { Blobs } from './blobs.ts'
import { directoryBlobs } from './directory-blobs.ts'
import { forgetOldest } from './forget-oldest.ts'

/** How many bytes all copies may take; the least recently used are deleted first. */
const COPIES_MAX_BYTES = 2 * 1024 ** 3

/** Local copies of remotely stored files, for code that needs a path. */
export interface LocalCopies {
  /** The path of a copy; null if there is no such file. */
  pathOf(name: string): Promise<string | null>
}

/**
 * Copies below `directory` of the files that `read` reads; files never change, so copies stay
 * valid.
 */
export function localCopies(
  directory: string,
  read: Blobs['read'],
  most = COPIES_MAX_BYTES,
): LocalCopies {
  const kept = directoryBlobs(directory)
  const copying = sharedWork<string | null>()

  async function fetched(name: string): Promise<string | null> {
    const path = join(directory, name)
    if ((await kept.sizeOf(name)) !== null) {
      const now = new Date()
      await utimes(path, now, now).catch(() => {})
      return path
    }
    const content = await read(name)
    if (!content) return null
    await kept.write(name, content)
    await forgetOldest(kept, most, name)
    return path
  }

  return {
    pathOf: (name) => copying(name, () => fetched(name)),
  }
}
