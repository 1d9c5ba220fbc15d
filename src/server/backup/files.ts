import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../database/start-error.ts'
import { KEY, storageIn, writeWhole } from '../files/files.ts'
import { BadBackup, LONGEST_PIECE } from './format.ts'

/** The keys of all files of a shop, and what they weigh together, in bytes. */
export async function filesIn(dataDir: string): Promise<{ keys: string[]; bytes: number }> {
  const storage = storageIn(dataDir)
  const keys: string[] = []
  let bytes = 0
  for (const folder of await listed(join(dataDir, 'files'))) {
    for (const name of await listed(join(dataDir, 'files', folder))) {
      const key = `${folder}/${name}`
      // A half-written one has another name.
      if (!KEY.test(key)) continue
      const entry = await stat(storage.pathOf(key)).catch(() => null)
      if (!entry?.isFile()) continue
      keys.push(key)
      bytes += entry.size
    }
  }
  return { keys, bytes }
}

async function listed(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).sort()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return []
    throw error
  }
}

/** A file's content, a piece at a time; null where it is not there any more. */
export async function openFile(
  dataDir: string,
  key: string,
): Promise<AsyncIterable<Buffer> | null> {
  const handle = await storageIn(dataDir).open(key)
  if (!handle) return null
  return handle.createReadStream({ highWaterMark: LONGEST_PIECE })
}

/** Whether these are the bytes that the file was stored as: it is named by its content. */
export function isNamedBy(key: string, sha256: string): boolean {
  return key.slice(3, 3 + 64) === sha256
}

/** Writes a file of a backup whole or not at all, over whatever has its name. */
export async function restoreFile(
  dataDir: string,
  key: string,
  pieces: AsyncIterable<Buffer>,
): Promise<void> {
  if (!KEY.test(key)) throw new BadBackup(`the backup names a file "${key}", which is no file.`)
  await writeWhole(storageIn(dataDir).pathOf(key), async (file) => {
    for await (const piece of pieces) await file.writeFile(piece)
  })
}
