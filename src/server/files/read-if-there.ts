import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** The bytes of a file; null if it is missing. */
export function readIfThere(path: string): Promise<Buffer | null> {
  return readFile(path).catch(nullWhereMissing)
}

/** The text of a file, read synchronously; null if it is missing. */
export function readTextIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return nullWhereMissing(error)
  }
}

function nullWhereMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
  throw error
}
