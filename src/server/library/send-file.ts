import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { contentDisposition } from '../../rules/file-name.ts'
import type { Storage } from '../files/files.ts'
import { fault } from '../http/errors.ts'
import { isKnown, rangeStillGood, readByteRange } from './byte-range.ts'
import type { LibraryFile } from './library.ts'

/**
 * Streams a bought file: whole, or the one range that is asked for, so that a broken download
 * resumes. Throws `file_missing` when it is not on disk as it was stored.
 */
export async function sendFile(
  reply: FastifyReply,
  storage: Storage,
  file: LibraryFile,
): Promise<FastifyReply> {
  const handle = await openAsStored(storage, file)
  const { method, headers } = reply.request
  const etag = `"${file.sha256.slice(0, 32)}"`
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    pragma: 'no-cache',
  })
  if (isKnown(headers['if-none-match'], etag)) {
    await handle.close()
    return reply.code(304).send()
  }

  const range = rangeStillGood(headers['if-range'] as string | undefined, etag)
    ? readByteRange(headers.range, file.size)
    : null
  if (range === 'unsatisfiable') {
    await handle.close()
    reply.header('content-range', `bytes */${file.size}`)
    throw fault('range_not_satisfiable')
  }

  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${file.size}`)
  reply.headers({
    'content-type': file.mediaType,
    'content-length': end - start + 1,
    'content-disposition': contentDisposition(file.title, file.fileType),
  })
  if (method === 'HEAD') {
    await handle.close()
    return reply.send(Readable.from([]))
  }
  return reply.send(handle.createReadStream({ start, end }))
}

async function openAsStored(storage: Storage, file: LibraryFile): Promise<FileHandle> {
  const handle = await storage.open(file.storageKey)
  if (!handle) throw fault('file_missing')
  const { size } = await handle.stat()
  if (size === file.size) return handle
  await handle.close()
  throw fault('file_missing')
}
