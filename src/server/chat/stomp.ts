// The only file that knows `Parser` and `FrameImpl`, which are internal to @stomp/stompjs.
import { FrameImpl, type IRawFrameType, Parser } from '@stomp/stompjs'
import { CHAT_MESSAGE_MAX_LENGTH } from '../../rules/room.ts'

const KILOBYTE = 1024

/** The most bytes of a character in JSON: an escape such as `\u0001`. */
const JSON_CHARACTER_MAX_BYTES = 6

/** The bytes of a frame besides its message: the headers and the other fields. */
const FRAME_REST_BYTES = 8 * KILOBYTE

/**
 * The longest STOMP frame: one with the longest message, each character of it escaped, in whole
 * kilobytes.
 */
export const CHAT_FRAME_MAX_BYTES =
  Math.ceil((CHAT_MESSAGE_MAX_LENGTH * JSON_CHARACTER_MAX_BYTES) / KILOBYTE) * KILOBYTE +
  FRAME_REST_BYTES

export const VERSIONS = ['1.2', '1.1', '1.0'] as const
export type Version = (typeof VERSIONS)[number]

export interface Frame {
  readonly command: string
  /** If a header is repeated, the first counts. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** The client violates STOMP; the connection ends. */
export class ProtocolError extends Error {
  override name = 'ProtocolError'
}

const HEADERS_MAX = 32
const LF = 10
const CR = 13
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * A frame as received; its headers are unescaped later, since the escapes depend on the version.
 */
export type RawFrame = IRawFrameType

/**
 * Splits the bytes of a connection into frames and drops the heart-beats between them. Throws a
 * `ProtocolError` for bytes that the parser would accept as a frame, or would wait for endlessly.
 */
export function frameReader(): (bytes: Uint8Array) => RawFrame[] {
  let waiting: Buffer = Buffer.alloc(0)
  const parsed: RawFrame[] = []
  const parser = new Parser(
    (frame) => parsed.push(frame),
    () => {},
  )

  return (bytes) => {
    waiting = waiting.length === 0 ? Buffer.from(bytes) : Buffer.concat([waiting, bytes])
    for (;;) {
      waiting = waiting.subarray(beatsIn(waiting))
      const length = frameLength(waiting)
      if (length === null) break
      // A copy: the parser takes the whole ArrayBuffer for one chunk.
      parser.parseChunk(new Uint8Array(waiting.subarray(0, length)).buffer)
      waiting = waiting.subarray(length)
    }
    if (waiting.length > CHAT_FRAME_MAX_BYTES) throw new ProtocolError('the frame is too long')
    return parsed.splice(0)
  }
}

/** A frame with its headers unescaped. Throws a `ProtocolError`. */
export function decodeFrame(raw: RawFrame, version: Version | null): Frame {
  const { command = '' } = raw
  const isEscaped = version !== null && version !== '1.0' && !/^(?:CONNECT|STOMP)$/.test(command)
  if (isEscaped && !raw.headers.every(([, value]) => /^(?:[^\\]|\\[nrc\\])*$/.test(value))) {
    throw new ProtocolError('a header has an unknown escape')
  }
  const { headers, binaryBody } = FrameImpl.fromRawFrame(raw, isEscaped)
  return { command, headers, body: decodeText(binaryBody) }
}

export function encodeFrame(
  command: string,
  headers: Record<string, string>,
  body: string,
  version: Version,
): string {
  const escapeHeaderValues = version !== '1.0'
  return FrameImpl.marshall({ command, headers, body, escapeHeaderValues }) as string
}

function beatsIn(bytes: Buffer): number {
  let at = 0
  while (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] === LF)) at++
  return at
}

/**
 * The length of the frame at the start of these bytes, including its NUL; null if it is incomplete.
 */
function frameLength(bytes: Buffer): number | null {
  const bodyAt = headLength(bytes)
  if (bodyAt === null) {
    if (bytes.includes(0)) throw new ProtocolError('the headers do not end')
    return null
  }
  const length = contentLength(decodeText(bytes.subarray(0, bodyAt)))
  if (length === null) {
    const end = bytes.indexOf(0, bodyAt)
    return end === -1 ? null : withinLimit(end + 1)
  }
  const end = withinLimit(bodyAt + length + 1) - 1
  if (bytes.length <= end) return null
  if (bytes[end] !== 0) throw new ProtocolError('the body does not end at its content-length')
  return end + 1
}

/** The length up to the end of the empty line; null if that has not arrived. */
function headLength(bytes: Buffer): number | null {
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3
  }
  return null
}

/** Checks a frame's headers; returns its content-length, or null without one. */
function contentLength(head: string): number | null {
  const [command = '', ...lines] = head.replace(/\r\n/g, '\n').slice(0, -2).split('\n')
  if (!/^[A-Z]{1,16}$/.test(command)) throw new ProtocolError('there is no command')
  if (lines.length > HEADERS_MAX) throw new ProtocolError('there are too many headers')
  let length: number | null = null
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1 || /[\r\0]/.test(line)) throw new ProtocolError('a header is malformed')
    if (line.slice(0, colon) !== 'content-length') continue
    const value = line.slice(colon + 1)
    if (length !== null || !/^\d{1,6}$/.test(value)) {
      throw new ProtocolError('the content-length is not good')
    }
    length = Number(value)
  }
  return length
}

function withinLimit(length: number): number {
  if (length > CHAT_FRAME_MAX_BYTES) throw new ProtocolError('the frame is too long')
  return length
}

function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ProtocolError('the frame is not UTF-8')
  }
}
