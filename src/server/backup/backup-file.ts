import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as s from 'superstruct'
import { syncDirectory } from '../database/cluster.ts'
import { fileFault } from '../database/start-error.ts'
import { writeWhole } from '../files/files.ts'

/**
 * A backup is one file: the line `MAGIC`, then blocks. A block is a letter for its kind, its length
 * (4 bytes, big-endian), and that many bytes:
 *
 *   H  the header, JSON                          once, first
 *   P  a part begins: what it holds, JSON
 *   D  a piece of the part
 *   E  the part ends: its length, its SHA-256, JSON
 *   Z  the end: how many parts, and the SHA-256 of all blocks but the D blocks, JSON
 *
 * Every byte of the pieces is covered by its part's sum, and those sums and everything else by the
 * one at the end, so that a file that was cut or damaged anywhere is recognised by reading it once.
 */
export const MAGIC = 'KARRAS BACKUP\n'

/** Increased whenever an older Karras could no longer read the file. */
export const FORMAT = 2
/** What an older Karras can read as well: a backup without the shop's secret. */
export const FORMAT_WITHOUT_SECRET = 1

export const KIND = { header: 72, part: 80, data: 68, partEnd: 69, end: 90 } as const

/** In bytes: the limit of a piece, and that of any other record. */
const LONGEST_PIECE = 256 * 1024
const LONGEST_RECORD = 16 * 1024 * 1024

const Table = s.object({ name: s.string(), columns: s.array(s.string()) })
const Sequence = s.object({ name: s.string(), lastValue: s.string(), isCalled: s.boolean() })

// `type`, not `object`: a later Karras may add fields.
export const Header = s.type({
  format: s.integer(),
  madeAt: s.string(),
  /** The major version of the PostgreSQL from which the tables were read. */
  postgres: s.integer(),
  /** The names of the migrations that created the tables, oldest first. */
  migrations: s.array(s.string()),
  tables: s.array(Table),
  sequences: s.array(Sequence),
  /** Whether it holds `DATA_DIR/secret`, with which tokens can be signed. */
  holdsSecret: s.optional(s.boolean()),
})
export type Header = s.Infer<typeof Header>
export type TableOf = s.Infer<typeof Table>
export type SequenceOf = s.Infer<typeof Sequence>

/**
 * The rows of a table, as COPY writes them; the mails in the queue, a line of JSON each; a file,
 * named by its key; or the shop's secret.
 */
const Part = s.type({
  kind: s.enums(['table', 'mails', 'file', 'secret']),
  name: s.string(),
  encoding: s.enums(['zstd', 'plain']),
})
type Part = s.Infer<typeof Part>

const PartEnd = s.type({ bytes: s.integer(), sha256: s.string() })
const End = s.type({ parts: s.integer(), sha256: s.string() })

/** The file is not a backup, or incomplete; `message` is one line for an operator. */
export class BadBackup extends Error {
  override name = 'BadBackup'
}

export interface BackupWriter {
  readonly size: number
  /** Writes a whole part; returns its SHA-256. */
  part(part: Part, pieces: AsyncIterable<Buffer>): Promise<string>
}

/**
 * Writes a backup as `<path>.part` and renames it once it is complete and on the disk, so that an
 * incomplete one is never taken for a backup. Only its owner can read it, since it contains
 * everything. Rethrows the error of `work` after deleting the file.
 */
export async function writeBackup(
  path: string,
  header: Header,
  work: (writer: BackupWriter) => Promise<void>,
): Promise<{ size: number }> {
  let size = 0
  const write = async (file: FileHandle) => {
    size = await fill(file, header, work)
  }
  await writeWhole(path, write, { mode: 0o600, temporary: `${path}.part` })
  syncDirectory(dirname(path))
  return { size }
}

async function fill(
  handle: FileHandle,
  header: Header,
  work: (writer: BackupWriter) => Promise<void>,
): Promise<number> {
  const everything = createHash('sha256')
  let size = 0
  let parts = 0

  async function block(kind: number, payload: Buffer): Promise<Buffer> {
    const head = Buffer.alloc(5)
    head.writeUInt8(kind)
    head.writeUInt32BE(payload.length, 1)
    await writeAll(handle, [head, payload])
    size += head.length + payload.length
    return head
  }
  async function record(kind: number, content: object): Promise<void> {
    const payload = Buffer.from(JSON.stringify(content))
    const head = await block(kind, payload)
    everything.update(head).update(payload)
  }

  await writeAll(handle, [Buffer.from(MAGIC)])
  size += MAGIC.length
  await record(KIND.header, header)
  await work({
    get size() {
      return size
    },
    async part(part, pieces) {
      await record(KIND.part, part)
      const sum = createHash('sha256')
      let bytes = 0
      for await (const piece of pieces) {
        for (let at = 0; at < piece.length; at += LONGEST_PIECE) {
          await block(KIND.data, piece.subarray(at, at + LONGEST_PIECE))
        }
        sum.update(piece)
        bytes += piece.length
      }
      const sha256 = sum.digest('hex')
      await record(KIND.partEnd, { bytes, sha256 })
      parts += 1
      return sha256
    },
  })
  await record(KIND.end, { parts, sha256: everything.copy().digest('hex') })
  return size
}

async function writeAll(handle: FileHandle, buffers: Buffer[]): Promise<void> {
  const whole = buffers.reduce((sum, { length }) => sum + length, 0)
  const { bytesWritten } = await handle.writev(buffers)
  // A full disk may accept only a part of the bytes.
  if (bytesWritten < whole) await handle.writeFile(Buffer.concat(buffers).subarray(bytesWritten))
}

/**
 * A part that is being read: `pieces` must be read to the end, and throws `BadBackup` if the part
 * is damaged.
 */
export interface ReadPart extends Part {
  readonly pieces: AsyncGenerator<Buffer>
}

/** Reads the whole file and verifies every checksum; throws `BadBackup` if one is wrong. */
export async function checkBackup(
  path: string,
  progress: (read: number, size: number) => void = () => {},
) {
  return await withBackup(path, async (header, parts, size) => {
    let files = 0
    let read = 0
    for await (const { kind, pieces } of parts) {
      if (kind === 'file') files += 1
      for await (const piece of pieces) {
        read += piece.length
        progress(read, size)
      }
    }
    return { header, size, files }
  })
}

export async function withBackup<Result>(
  path: string,
  work: (header: Header, parts: AsyncGenerator<ReadPart>, size: number) => Promise<Result>,
): Promise<Result> {
  const handle = await open(path, 'r').catch((error) => {
    throw new BadBackup(`${path} cannot be read: ${fileFault(error)}.`, { cause: error })
  })
  try {
    const blocks = new Blocks(path, handle)
    const { size } = await handle.stat()
    const header = await blocks.begin()
    return await work(header, blocks.parts(), size)
  } finally {
    await handle.close()
  }
}

interface Block {
  readonly kind: number
  readonly payload: Buffer
}

class Blocks {
  readonly #path: string
  readonly #handle: FileHandle
  readonly #everything = createHash('sha256')

  constructor(path: string, handle: FileHandle) {
    this.#path = path
    this.#handle = handle
  }

  async begin(): Promise<Header> {
    const magic = await this.#read(MAGIC.length).catch(() => null)
    if (magic?.toString('latin1') !== MAGIC) throw this.#bad('is not a backup of Karras')
    const block = await this.#next()
    // Checked first: the rest of a later format cannot be interpreted.
    const format = (parse(block.payload) as { format?: unknown } | undefined)?.format
    if (block.kind === KIND.header && Number(format) > FORMAT) {
      throw this.#bad('was made by a newer Karras; restore it with that one')
    }
    return this.#record(block, KIND.header, Header)
  }

  async *parts(): AsyncGenerator<ReadPart> {
    for (let count = 0; ; count += 1) {
      const sum = this.#everything.copy().digest('hex')
      const block = await this.#next()
      if (block.kind === KIND.end) {
        const end = this.#record(block, KIND.end, End)
        if (end.parts !== count || end.sha256 !== sum) throw this.#damaged()
        if (await this.#goesOn()) throw this.#damaged()
        return
      }
      const part = this.#record(block, KIND.part, Part)
      const pieces = this.#pieces()
      yield { ...part, pieces }
    }
  }

  async *#pieces(): AsyncGenerator<Buffer> {
    const sum = createHash('sha256')
    let bytes = 0
    for (;;) {
      const block = await this.#next()
      if (block.kind !== KIND.data) {
        const end = this.#record(block, KIND.partEnd, PartEnd)
        if (end.bytes !== bytes || end.sha256 !== sum.digest('hex')) throw this.#damaged()
        return
      }
      sum.update(block.payload)
      bytes += block.payload.length
      yield block.payload
    }
  }

  async #next(): Promise<Block> {
    const head = await this.#read(5)
    const kind = head.readUInt8()
    const length = head.readUInt32BE(1)
    const isData = kind === KIND.data
    if (length > (isData ? LONGEST_PIECE : LONGEST_RECORD)) throw this.#damaged()
    const payload = await this.#read(length)
    if (!isData) this.#everything.update(head).update(payload)
    return { kind, payload }
  }

  #record<T>({ kind, payload }: Block, expected: number, struct: s.Struct<T>): T {
    if (kind !== expected) throw this.#damaged()
    try {
      return s.create(parse(payload), struct)
    } catch (error) {
      throw this.#damaged(error)
    }
  }

  async #read(length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length)
    for (let at = 0; at < length; ) {
      const { bytesRead } = await this.#handle.read(buffer, at, length - at)
      if (bytesRead === 0) throw this.#bad('is cut off: it has no end')
      at += bytesRead
    }
    return buffer
  }

  async #goesOn(): Promise<boolean> {
    return (await this.#handle.read(Buffer.alloc(1), 0, 1)).bytesRead > 0
  }

  #damaged(cause?: unknown): BadBackup {
    return this.#bad('is damaged: its sums are not those of its content', cause)
  }

  #bad(what: string, cause?: unknown): BadBackup {
    return new BadBackup(`${this.#path} ${what}.`, { cause })
  }
}

function parse(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'))
  } catch {
    return undefined
  }
}
