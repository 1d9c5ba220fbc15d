import { sharedWork } from '../../concurrency/shared-work.ts'
import { readIfThere, writeWhole } from '../../files/files.ts'

const making = sharedWork<Buffer | null>()

/**
 * Reads a derived file that is stored at `path`; if it is missing, stores the result of `make`,
 * which runs once for all simultaneous callers. Null if there is nothing to make it from.
 */
export function keptFile(path: string, make: () => Promise<Buffer | null>): Promise<Buffer | null> {
  return making(path, async () => {
    const kept = await readIfThere(path)
    if (kept) return kept
    const made = await make()
    if (made) await writeWhole(path, made)
    return made
  })
}
