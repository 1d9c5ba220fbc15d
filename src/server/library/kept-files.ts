import { readIfThere, writeWhole } from '../files/files.ts'
import { sharedWork } from '../shared-work.ts'

const making = sharedWork<Buffer | null>()

/**
 * Reads a file that is made from another and kept at `path`; where it is missing, writes what `make`
 * returns, once however many ask at a time. null if there is nothing to make it from.
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
