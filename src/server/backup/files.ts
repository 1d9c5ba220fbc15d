import { KEY, type Storage } from '../files/files.ts'
import { BadBackup } from './format.ts'

/** The keys of all stored files, and their total size in bytes. */
export async function filesIn(storage: Storage): Promise<{ keys: string[]; bytes: number }> {
  const keys: string[] = []
  let bytes = 0
  for await (const { key, size } of storage.list()) {
    keys.push(key)
    bytes += size
  }
  return { keys: keys.sort(), bytes }
}

/** Whether content with this hash belongs to the file of this key, which contains the hash. */
export function isNamedBy(key: string, sha256: string): boolean {
  return key.slice(3, 3 + 64) === sha256
}

/** Writes a file of a backup atomically, replacing any file of that name. */
export async function restoreFile(
  storage: Storage,
  key: string,
  pieces: AsyncIterable<Buffer>,
): Promise<void> {
  if (!KEY.test(key)) throw new BadBackup(`the backup names a file "${key}", which is no file.`)
  await storage.putAs(key, pieces)
}
