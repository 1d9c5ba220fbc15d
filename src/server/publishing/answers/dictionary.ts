import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { acceptsDcz, inOnePiece } from './compression.ts'

/** Bytes that a client already has, and that an answer may refer to (RFC 9842). */
export interface Dictionary {
  /** The first characters of its hash, in letters, digits, `-` and `_`. */
  id: string
  /** Its SHA-256 hash as clients send it in `Available-Dictionary`. */
  token: string
  /** The bytes before an answer compressed with it: a mark, and its hash. */
  prefix: Buffer
  bytes: Buffer
}

/** The dictionary of a page, and the `Link` header through which clients get it. */
export interface Offer {
  dictionary: Dictionary
  link: string
}

/** The dictionaries of a shop. */
export interface Dictionaries {
  /** Finds a dictionary of this build or an earlier one by its `token`. */
  find(token: string): Dictionary | undefined
  /** Returns the dictionary for pages in a path's language; undefined if there is none. */
  offer(path: string): Offer | undefined
}

/** For a build without dictionaries. */
export const NO_DICTIONARIES: Dictionaries = { find: () => undefined, offer: () => undefined }

/** The bytes that answers in the encoding `dcz` begin with, before the hash of their dictionary. */
const MARK = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0])

export function dictionaryOf(bytes: Buffer): Dictionary {
  const hash = createHash('sha256').update(bytes).digest()
  return {
    id: hash.toString('base64url').slice(0, 12),
    token: `:${hash.toString('base64')}:`,
    prefix: Buffer.concat([MARK, hash]),
    bytes,
  }
}

/** The dictionary with which a client requests its answer; undefined for most clients. */
export function chosenDictionary(
  headers: IncomingHttpHeaders,
  find: Dictionaries['find'],
): Dictionary | undefined {
  const token = headers['available-dictionary']
  if (typeof token !== 'string' || !acceptsDcz(headers['accept-encoding'])) return
  return find(token.trim())
}

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/**
 * Compresses text with zstd, off the main thread; in the encoding `dcz` if there is a dictionary.
 * Level 10 takes one to three milliseconds per page; from level 11, some pages take twenty times as
 * long.
 */
export async function compressZstd(
  body: Buffer,
  dictionary: Dictionary | undefined,
  level = 10,
): Promise<Buffer> {
  const frame = await compress(body, {
    pledgedSrcSize: body.length,
    ...inOnePiece(body),
    params: { [constants.ZSTD_c_compressionLevel]: level },
    ...(dictionary && { dictionary: dictionary.bytes }),
  })
  // Copied: zlib returns a view into a larger block, which must not stay in memory.
  return Buffer.concat(dictionary ? [dictionary.prefix, frame] : [frame])
}

/** Decompresses text that `compressZstd` compressed with the same dictionary. */
export async function decompressZstd(
  body: Buffer,
  dictionary: Dictionary | undefined,
): Promise<Buffer> {
  if (!dictionary) return decompress(body)
  const frame = body.subarray(dictionary.prefix.length)
  return decompress(frame, { dictionary: dictionary.bytes })
}
