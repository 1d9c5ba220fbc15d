import type { AnyCall, Input } from '../contract/call.ts'
import { ApiError, type Loose, requestFor } from './api.ts'
import { isFile } from './timed.ts'

/** The time limit for the start of an answer, and for each further piece of its file (ms). */
const SILENCE_MS = 20_000

export interface FileOptions {
  token: string
  signal: AbortSignal
  /** Where to resume: the first byte to send, of the file with this ETag. */
  from?: { start: number; etag: string } | undefined
}

export interface IncomingFile {
  /** The first byte sent: 0 if the server sends the whole file, whatever was requested. */
  start: number
  /** Bytes of the whole file; null if the server does not say. */
  total: number | null
  /** Null if the server names no version of the file, which then cannot be resumed. */
  etag: string | null
  mediaType: string
  /** Null after the last piece; an `ApiError` with status 0 if the line is cut or silent. */
  read: () => Promise<Uint8Array<ArrayBuffer> | null>
  cancel: () => void
}

/**
 * Opens the file that a call returns, to be read piece by piece, so that only one piece is in
 * memory. Like any call it throws an `ApiError`; only the caller's own abort throws its reason.
 */
export async function openFile<C extends AnyCall>(
  call: C,
  input: Input<C>,
  { token, signal, from }: FileOptions,
): Promise<IncomingFile> {
  // One signal for the time limit and the caller: older phones lack `AbortSignal.any`.
  const ending = new AbortController()
  const end = () => ending.abort()
  signal.throwIfAborted()
  signal.addEventListener('abort', end)
  const inTime = async <T>(work: () => Promise<T>): Promise<T> => {
    const timer = setTimeout(end, SILENCE_MS)
    try {
      return await work()
    } catch {
      signal.throwIfAborted()
      throw new ApiError(0, null)
    } finally {
      clearTimeout(timer)
    }
  }

  const { path, headers } = requestFor(call, input as Loose, { token })
  if (from) Object.assign(headers, { range: `bytes=${from.start}-`, 'if-range': from.etag })
  const response = await inTime(() =>
    // The browser's cache would keep a second copy of the file.
    fetch(`/api${path}`, {
      headers,
      credentials: 'omit',
      cache: 'no-store',
      signal: ending.signal,
    }),
  )
  const { status, body } = response
  if (!response.ok || !body || !isFile(response)) {
    const answer: unknown = await inTime(() => response.json()).catch(() => null)
    throw new ApiError(status, answer)
  }
  const range = rangeOf(response)
  if (!range) {
    end()
    throw new ApiError(status, null)
  }
  const reader = body.getReader()
  return {
    ...range,
    etag: strongTag(response.headers.get('etag')),
    mediaType: response.headers.get('content-type') ?? '',
    read: async () => (await inTime(() => reader.read())).value ?? null,
    cancel: end,
  }
}

/** Which bytes are sent; null if the answer is a part of the file but does not say which. */
function rangeOf({ status, headers }: Response): { start: number; total: number | null } | null {
  if (status === 206) {
    const [, start, total] =
      /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? []
    return start === undefined ? null : { start: Number(start), total: lengthOf(total) }
  }
  // The content length of a compressed answer is not that of the file.
  const length = headers.has('content-encoding') ? null : headers.get('content-length')
  return { start: 0, total: lengthOf(length) }
}

const lengthOf = (text: string | null | undefined) =>
  text && /^\d+$/.test(text) ? Number(text) : null

/** A weak ETag does not promise the same bytes. */
const strongTag = (tag: string | null) => (tag?.startsWith('"') ? tag : null)
