import { createReadStream, type Dirent } from 'node:fs'
import { type FileHandle, open, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { writeWhole } from './whole-files.ts'

/** First and last byte, inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface ListedBlob {
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly changedAt: Date
}

export type Pieces = Uint8Array | AsyncIterable<Uint8Array>

/** A store of files with names of `[0-9a-z/.-]`: a directory, or a bucket. */
export interface Blobs {
  /** Writes a whole file or nothing, replacing an existing file. */
  write(name: string, content: Pieces): Promise<void>
  sizeOf(name: string): Promise<number | null>
  /** Null if there is no such file. Read the stream to its end, or destroy it. */
  read(name: string, range?: ByteRange): Promise<Readable | null>
  /** The bytes of a piece stay valid until the reader requests the next one. */
  pieces(name: string, range: ByteRange): Promise<AsyncIterable<Uint8Array> | null>
  remove(names: readonly string[]): Promise<void>
  /** Every file whose name starts with `prefix`, which ends in a slash or is empty. */
  list(prefix: string): AsyncIterable<ListedBlob>
  /** Deletes incomplete files that killed processes left before that moment. */
  removeHalfWritten(before: Date): Promise<void>
  /** An absolute path, valid until the next call; null if there is no such file. */
  localPath(name: string): Promise<string | null>
}

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

/** Uses one buffer: new ones would fill the memory before they are collected. */
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

/** Deletes the oldest files, but not `needed`, until the others take at most `most` bytes. */
export async function forgetOldest(
  blobs: Pick<Blobs, 'list' | 'remove'>,
  most: number,
  needed?: string,
): Promise<void> {
  const found = []
  for await (const blob of blobs.list('')) found.push(blob)
  let bytes = found.reduce((sum, { size }) => sum + size, 0)
  found.sort((a, b) => a.changedAt.getTime() - b.changedAt.getTime())
  for (const { name, size } of found) {
    if (bytes <= most) return
    if (name === needed) continue
    await blobs.remove([name])
    bytes -= size
  }
}

/** The storage does not answer, or refuses a request. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}
