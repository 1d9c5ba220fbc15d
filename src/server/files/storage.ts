import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND_MS } from '../../rules/durations.ts'
import { type FilesConfig, filesIn, type S3Config } from '../config/config.ts'
import {
  type Blobs,
  type ByteRange,
  directoryBlobs,
  type Pieces,
  StorageUnavailable,
} from './blobs.ts'
import { type MadeFiles, madeFilesIn } from './made-files.ts'

export interface StoredFile {
  /** Its name in the storage; derived from the content, never from a request. */
  readonly key: string
  /** In bytes. */
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
}

export interface ListedFile {
  readonly key: string
  /** In bytes. */
  readonly size: number
  readonly changedAt: Date
}

/** The shop's files, `ab/abcdef….pdf`, named by their content, and the parts of uploads. */
export interface Storage {
  /** Writes a whole file or nothing; identical bytes are stored once. */
  put(bytes: Uint8Array, extension: string): Promise<StoredFile>
  putAs(key: string, content: Pieces): Promise<void>
  sizeOf(key: string): Promise<number | null>
  /** Null if the file is missing. Read the stream to its end, or destroy it. */
  read(key: string, range?: ByteRange): Promise<Readable | null>
  /** The bytes of a piece are valid until the next one. Read all pieces, or leave the loop. */
  pieces(key: string, range: ByteRange): Promise<AsyncIterable<Uint8Array> | null>
  /** An absolute path at which the file can be read for a short time; null if it is missing. */
  localPath(key: string): Promise<string | null>
  remove(key: string): Promise<void>
  list(): AsyncIterable<ListedFile>
  /** Deletes incomplete files that killed processes left before that moment. */
  removeHalfWritten(before: Date): Promise<void>
  readonly parts: UploadParts
  readonly made: MadeFiles
  /**
   * Writes a small file and looks for it, unless that was done in the last `LOOKED_FOR_MS`. Throws
   * `StorageUnavailable`.
   */
  look(): Promise<void>
  close(): void
}

interface UploadParts {
  write(uploadId: string, part: UploadPart, bytes: Uint8Array): Promise<void>
  /** The content of a part; null if it is missing, as after a restore. */
  read(uploadId: string, part: UploadPart): Promise<Readable | null>
  remove(uploadId: string): Promise<void>
  /** The uploads that have parts, each with the time of the latest. */
  list(): Promise<Map<string, Date>>
}

/** In bytes. */
interface UploadPart {
  readonly offset: number
  readonly length: number
}

/** A storage key; without `..`, a drive or a leading slash by construction. */
export const KEY = /^[0-9a-f]{2}\/[0-9a-f]{64}\.[a-z]{1,8}$/
const PARTS = 'uploads/'

/** The key of a file with this content (its SHA-256 in hexadecimal). */
export const keyOf = (sha256: string, extension: string): string =>
  `${sha256.slice(0, 2)}/${sha256}.${extension}`

/** The SHA-256 of the content with this key. */
export const hashIn = (key: string): string => key.slice(3, 67)

/** Opens the storage that `FILES_URL` names; the client of S3 is loaded only for S3. */
export async function openStorage({
  files,
  dataDir,
}: {
  files: FilesConfig
  dataDir: string
}): Promise<Storage> {
  if (files.kind === 'directory') {
    const blobs = directoryBlobs(files.path)
    const isShared = files.path !== filesIn(dataDir)
    return storageOf(blobs, madeFilesIn(dataDir, isShared ? blobs : undefined))
  }
  const { s3Blobs } = await import('./s3-blobs.ts')
  const blobs = s3Blobs(files, join(dataDir, 'files-of-s3'))
  return storageOf(blobs, madeFilesIn(dataDir, blobs), blobs.close)
}

/** Whether anybody reads a file of a bucket without a key. */
export async function isReadableByAnybody(config: S3Config, key: string): Promise<boolean> {
  const { isPublic } = await import('./s3-blobs.ts')
  return await isPublic(config, checked(key))
}

/** The default storage, in a data directory (absolute). */
export const storageIn = (dataDir: string): Storage =>
  storageOf(directoryBlobs(filesIn(dataDir)), madeFilesIn(dataDir))

function storageOf(blobs: Blobs, made: MadeFiles, close = () => {}): Storage {
  return {
    async put(bytes, extension) {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const key = keyOf(sha256, extension)
      await blobs.write(checked(key), bytes)
      return { key, size: bytes.byteLength, sha256 }
    },
    putAs: (key, content) => blobs.write(checked(key), content),
    sizeOf: (key) => blobs.sizeOf(checked(key)),
    read: (key, range) => blobs.read(checked(key), range),
    pieces: (key, range) => blobs.pieces(checked(key), range),
    localPath: (key) => blobs.localPath(checked(key)),
    remove: (key) => blobs.remove([checked(key)]),
    async *list() {
      for await (const { name, size, changedAt } of blobs.list('')) {
        // Incomplete files and parts of uploads have other names.
        if (KEY.test(name)) yield { key: name, size, changedAt }
      }
    },
    removeHalfWritten: (before) => blobs.removeHalfWritten(before),
    parts: partsIn(blobs),
    made,
    look: lookingAt(blobs),
    close,
  }
}

/** The file that `look` writes; it is none of the shop's. */
const LOOKED_AT = 'looked-at'
const LOOKED_FOR_MS = 10 * SECOND_MS
/** A storage that answers later is of no use to a reader. */
const LOOK_MAX_MS = 5 * SECOND_MS

function lookingAt(blobs: Blobs): () => Promise<void> {
  let last: { readonly at: number; readonly found: Promise<void> } | undefined
  return () => {
    const now = performance.now()
    if (!last || now - last.at > LOOKED_FOR_MS) last = { at: now, found: lookAt(blobs) }
    return last.found
  }
}

async function lookAt(blobs: Blobs): Promise<void> {
  const look = async () => {
    await blobs.write(LOOKED_AT, new Uint8Array([1]))
    if ((await blobs.sizeOf(LOOKED_AT)) === null) throw new Error('what was written is not there')
  }
  const tooLate = wait(LOOK_MAX_MS, undefined, { ref: false }).then(() => {
    throw new Error(`no answer in ${LOOK_MAX_MS / SECOND_MS} seconds`)
  })
  try {
    await Promise.race([look(), tooLate])
  } catch (error) {
    if (error instanceof StorageUnavailable) throw error
    throw new StorageUnavailable((error as Error).message, { cause: error })
  }
}

function partsIn(blobs: Blobs): UploadParts {
  const nameOf = (uploadId: string, { offset, length }: UploadPart) =>
    `${folderOf(uploadId)}${offset}-${length}`
  return {
    write: (uploadId, part, bytes) => blobs.write(nameOf(uploadId, part), bytes),
    read: (uploadId, part) => blobs.read(nameOf(uploadId, part)),
    async remove(uploadId) {
      const names = []
      for await (const { name } of blobs.list(folderOf(uploadId))) names.push(name)
      await blobs.remove(names)
    },
    async list() {
      const uploads = new Map<string, Date>()
      for await (const { name, changedAt } of blobs.list(PARTS)) {
        const [id = ''] = name.slice(PARTS.length).split('/')
        const known = uploads.get(id)
        if (!known || known < changedAt) uploads.set(id, changedAt)
      }
      return uploads
    },
  }
}

function folderOf(uploadId: string): string {
  if (!/^[0-9a-f-]{36}$/.test(uploadId)) throw new RangeError('not an upload')
  return `${PARTS}${uploadId}/`
}

function checked(key: string): string {
  if (!KEY.test(key)) throw new RangeError('not a storage key')
  return key
}
