import { readIfThere, writeWhole } from '../../files/files.ts'
import { sharedWork } from '../../shared-work.ts'

const making = sharedWork<Buffer | null>()

/**
 * Reads a derived file that is kept at `path`; where it is missing, stores what `make` returns, once
 * however many callers ask at a time. Null if there is nothing to make it from.
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
