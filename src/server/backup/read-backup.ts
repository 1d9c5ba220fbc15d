import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { create, type Struct } from 'superstruct'
import { fileFault } from '../database/start-error.ts'
import {
  BadBackup,
  End,
  FORMAT,
  Header,
  KIND,
  LONGEST_PIECE,
  LONGEST_RECORD,
  MAGIC,
  Part,
  PartEnd,
} from './format.ts'

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

/** Opens a backup for `work`, which must read all `parts` in order. */
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

  #record<T>({ kind, payload }: Block, expected: number, struct: Struct<T>): T {
    if (kind !== expected) throw this.#damaged()
    try {
      return create(parse(payload), struct)
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
