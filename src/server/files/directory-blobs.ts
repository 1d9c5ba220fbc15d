import { createReadStream, type Dirent } from 'node:fs'
import { type FileHandle, open, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Blobs, ByteRange, ListedBlob } from './blobs.ts'
import { writeWhole } from './write-whole.ts'

/** The most bytes of a piece. */
const PIECE = 64 << 10

/** Files below a directory (absolute path), which is created with the first file. */
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
    pieces: (name, range) =>
      unlessMissing(async () => piecesOf(await open(pathOf(name), 'r'), range)),
    async remove(names) {
      for (const name of names) await rm(pathOf(name), { force: true })
      // Removes directories that are now empty; `rmdir` refuses others.
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

/**
 * Reads all pieces into the same buffer: new buffers would fill the memory before they are
 * collected.
 */
async function* piecesOf(file: FileHandle, { start, end }: ByteRange): AsyncIterable<Uint8Array> {
  try {
    const bytes = Buffer.allocUnsafeSlow(Math.min(PIECE, end - start + 1))
    for (let at = start; at <= end; ) {
      const { bytesRead } = await file.read(bytes, 0, Math.min(PIECE, end - at + 1), at)
      if (bytesRead === 0) throw new RangeError('the file ends before the range')
      yield bytes.subarray(0, bytesRead)
      at += bytesRead
    }
  } finally {
    await file.close()
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
