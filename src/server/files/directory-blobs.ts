import { createReadStream, type Dirent } from 'node:fs'
import { open, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Blobs, ListedBlob } from './blobs.ts'
import { writeWhole } from './write-whole.ts'

/** Files below a directory (absolute), which is created with the first file. */
export function directoryBlobs(root: string): Blobs {
  const pathOf = (name: string) => join(root, name)
  return {
    async write(name, content) {
      await writeWhole(
        pathOf(name),
        content instanceof Uint8Array
          ? content
          : async (file) => {
              for await (const piece of content) await file.writeFile(piece)
            },
      )
    },
    sizeOf: (name) => unlessMissing(async () => (await stat(pathOf(name))).size),
    read: (name, range) =>
      unlessMissing(async () => {
        const handle = await open(pathOf(name), 'r')
        return createReadStream('', { fd: handle, ...range })
      }),
    async remove(names) {
      for (const name of names) await rm(pathOf(name), { force: true })
      // Removes the directories that are empty now; `rmdir` refuses others.
      for (const directory of new Set(names.map((name) => dirname(pathOf(name))))) {
        if (directory !== root) await removeEmpty(directory)
      }
    },
    list: (prefix) => listBelow(root, prefix),
    async removeHalfWritten(before) {
      for await (const { name, changedAt } of listBelow(root, '')) {
        if (name.endsWith('.tmp') && changedAt < before) await rm(pathOf(name), { force: true })
      }
    },
    localPath: (name) =>
      unlessMissing(async () => {
        await stat(pathOf(name))
        return pathOf(name)
      }),
  }
}

async function* listBelow(root: string, prefix: string): AsyncIterable<ListedBlob> {
  const entries =
    (await unlessMissing<Dirent[]>(() => readdir(join(root, prefix), { withFileTypes: true }))) ??
    []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = prefix + entry.name
    if (entry.isDirectory()) {
      yield* listBelow(root, `${name}/`)
    } else if (entry.isFile()) {
      const found = await unlessMissing(() => stat(join(root, name)))
      if (found) yield { name, size: found.size, changedAt: found.mtime }
    }
  }
}

async function removeEmpty(directory: string): Promise<void> {
  await rmdir(directory).catch(() => {})
}

async function unlessMissing<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}
