import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWhole } from './write-whole.ts'

/** A file as the table `files` knows it. */
export interface StoredFile {
  /** Where it lies below DATA_DIR/files; made from the content, never from a request. */
  readonly key: string
  /** Bytes. */
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** The documents' files: `DATA_DIR/files/ab/abcdef….pdf`, named by their content. */
export interface Storage {
  /** Writes a file whole or not at all; the same bytes are kept once. */
  put(bytes: Uint8Array, extension: string): Promise<StoredFile>
  /** Opens a file for reading; null when it is not there. The caller closes it. */
  open(key: string): Promise<FileHandle | null>
  /** The file's absolute path. */
  pathOf(key: string): string
}

/**
 * A storage key: what the database accepts as well; without `..`, a drive or a leading slash by
 * construction.
 */
export const KEY = /^[0-9a-f]{2}\/[0-9a-f]{64}\.[a-z]{1,8}$/

/** The storage below a data directory (absolute). */
export function storageIn(dataDir: string): Storage {
  const root = join(dataDir, 'files')
  const pathOf = (key: string) => {
    if (!KEY.test(key)) throw new RangeError('not a storage key')
    return join(root, key)
  }
  return {
    pathOf,
    async put(bytes, extension) {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const key = `${sha256.slice(0, 2)}/${sha256}.${extension}`
      await writeWhole(pathOf(key), bytes)
      return { key, size: bytes.byteLength, sha256 }
    },
    async open(key) {
      try {
        return await open(pathOf(key), 'r')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
  }
}
