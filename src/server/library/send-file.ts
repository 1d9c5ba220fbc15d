import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { contentDisposition } from '../../rules/file-name.ts'
import type { Storage } from '../files/files.ts'
import { fault } from '../http/errors.ts'
import { isKnown, rangeStillGood, readByteRange } from './byte-range.ts'
import type { LibraryFile } from './library.ts'

/**
 * Streams a bought file: whole, or the one range requested, so that a broken download can resume.
 * Throws `file_missing` where the file is missing or has another size than was stored.
 */
export async function sendFile(
  reply: FastifyReply,
  storage: Storage,
  file: LibraryFile,
): Promise<FastifyReply> {
  if ((await storage.sizeOf(file.storageKey)) !== file.size) throw fault('file_missing')
  const { method, headers } = reply.request
  const etag = `"${file.sha256.slice(0, 32)}"`
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    pragma: 'no-cache',
  })
  if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send()

  const range = rangeStillGood(headers['if-range'] as string | undefined, etag)
    ? readByteRange(headers.range, file.size)
    : null
  if (range === 'unsatisfiable') {
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
  if (method === 'HEAD') return reply.send(Readable.from([]))
  const content = await storage.read(file.storageKey, { start, end })
  if (!content) throw fault('file_missing')
  return reply.send(content)
}
