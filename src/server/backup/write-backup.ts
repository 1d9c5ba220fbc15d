import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncDirectory } from '../database/cluster.ts'
import { writeWhole } from '../files/files.ts'
import { type Header, KIND, LONGEST_PIECE, MAGIC, type Part } from './format.ts'

/** A backup that is being written. */
export interface BackupWriter {
  /** Bytes written so far. */
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
