import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { contentDisposition } from '../../../rules/downloads.ts'
import type { ByteRange, Storage } from '../../files/files.ts'
import { fault } from '../../http/errors.ts'
import { sendPieces } from '../../http/send-pieces.ts'
import type { LibraryFile } from './find-file.ts'

interface SentFile extends LibraryFile {
  /** The bytes appended to the stored file; null for none. */
  readonly tail: Buffer | null
}

/** Streams a file or the requested range. Throws `file_missing` if it is lost or truncated. */
export async function sendFile(
  reply: FastifyReply,
  storage: Storage,
  file: SentFile,
): Promise<FastifyReply> {
  if ((await storage.sizeOf(file.storageKey)) !== file.size) throw fault('file_missing')
  const { method, headers } = reply.request
  const etag = etagOf(file)
  const size = file.size + (file.tail?.length ?? 0)
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    pragma: 'no-cache',
  })
  const ifMatch = headers['if-match']
  if (ifMatch !== undefined && ifMatch.trim() !== '*' && !namesTag(ifMatch, etag)) {
    return reply.code(412).send()
  }
  if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send()

  const range = rangeStillGood(headers['if-range'] as string | undefined, etag)
    ? readByteRange(headers.range, size)
    : null
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`)
    throw fault('range_not_satisfiable')
  }

  const { start, end } = range ?? { start: 0, end: size - 1 }
  // Before the headers, which a refusal must not have.
  const pieces = method === 'HEAD' ? [] : await piecesOf(storage, file, { start, end })
  if (!pieces) throw fault('file_missing')
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
  reply.headers({
    'content-type': file.mediaType,
    'content-length': end - start + 1,
    'content-disposition': contentDisposition(file.title, file.fileType),
  })
  return Array.isArray(pieces) ? reply.send(Readable.from(pieces)) : sendPieces(reply, pieces)
}

/**
 * Whether a request resumes a download of the file with this ETag: Chrome and Safari say so with
 * `If-Range`, Firefox with `If-Match`.
 */
export function resumes({ headers }: FastifyRequest, etag: string): boolean {
  if (headers.range === undefined) return false
  return headers['if-range'] === etag || namesTag(headers['if-match'], etag)
}

/** Equal bytes have the same ETag, in every process. */
export function etagOf({ sha256, tail }: SentFile): string {
  if (!tail) return `"${sha256.slice(0, 32)}"`
  const hash = createHash('sha256').update(sha256).update(tail).digest('hex')
  return `"${hash.slice(0, 32)}"`
}

/** The requested range, from the stored bytes and the tail; null if the file is missing. */
async function piecesOf(
  storage: Storage,
  { storageKey, size, tail }: SentFile,
  { start, end }: ByteRange,
): Promise<AsyncIterable<Uint8Array> | null> {
  const appended = tail?.subarray(Math.max(0, start - size), Math.max(0, end + 1 - size))
  const stored =
    start < size ? await storage.pieces(storageKey, { start, end: Math.min(end, size - 1) }) : []
  return stored && followedBy(stored, appended)
}

async function* followedBy(
  first: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  then: Buffer | undefined,
): AsyncGenerator<Uint8Array> {
  yield* first
  if (then?.length) yield then
}

/**
 * The range that a `Range` header requests of a file of `size` bytes (RFC 9110, 14), first and last
 * byte inclusive; `unsatisfiable` (416); or null for the whole file, which is also the answer to
 * several ranges and to anything that is not a byte range.
 */
export function readByteRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const range = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '')
  if (!range) return null
  const [, first = '', last = ''] = range
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return null
  return start >= size ? 'unsatisfiable' : { start, end }
}

/** `If-Range` is absent, or equals this strong ETag. */
function rangeStillGood(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag
}

/** Whether `If-Match` contains this strong ETag. */
function namesTag(ifMatch: string | undefined, etag: string): boolean {
  return ifMatch?.split(',').some((tag) => tag.trim() === etag) ?? false
}

/** Whether `If-None-Match` contains this ETag, or `*`. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
