import { readFile } from 'node:fs/promises'
import { writeWhole } from '../files/files.ts'

/**
 * Files that are made from others and kept: reads the one at `path`, or writes what `make` gives, once
 * however many ask at a time. null where there is nothing to make it from.
 */
export function keptFiles() {
  const underWay = new Map<string, Promise<Buffer | null>>()
  return (path: string, make: () => Promise<Buffer | null>): Promise<Buffer | null> => {
    const running = underWay.get(path)
    if (running) return running
    const found = readIfThere(path)
      .then(async (kept) => {
        if (kept) return kept
        const made = await make()
        if (made) await writeWhole(path, made)
        return made
      })
      .finally(() => underWay.delete(path))
    underWay.set(path, found)
    return found
  }
}

/** A file's bytes; null when it is not there. */
export async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
