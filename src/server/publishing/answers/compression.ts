import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress, zstdDecompress } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { contentType } from 'mime-types'

/** The encodings of a body; `identity` is uncompressed. */
export type Encoding = 'br' | 'gzip' | 'identity'

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)
const zstd = promisify(zstdCompress)
const unzstd = promisify(zstdDecompress)

/** How many bytes brotli's window is smaller than the power of two that names it. */
const WINDOW_RESERVE = 16

/**
 * An option of zlib: room for all of the compressed text, since each further piece of 16 KB takes
 * another turn between the threads.
 */
const inOnePiece = ({ length }: Buffer) => ({ chunkSize: Math.max(length >> 1, 1024) })

/** Compresses text with brotli, off the main thread; quality 0–11. */
export async function compressBrotli(body: Buffer, quality: number): Promise<Buffer> {
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    // No wider than the body: by default brotli clears megabytes of tables for each page.
    [constants.BROTLI_PARAM_LGWIN]: Math.min(
      Math.max(
        Math.ceil(Math.log2(body.length + WINDOW_RESERVE)),
        constants.BROTLI_MIN_WINDOW_BITS,
      ),
      constants.BROTLI_DEFAULT_WINDOW,
    ),
  }
  return exact(await brotli(body, { params, ...inOnePiece(body) }))
}

/** Compresses with gzip, off the main thread; level 1–9. */
export const compressGzip = async (body: Buffer, level: number): Promise<Buffer> =>
  exact(await deflate(body, { level, ...inOnePiece(body) }))

/**
 * Compresses a page for the store, off the main thread. Level 3 takes 0.3 ms; level 10 takes 1.6 ms
 * and makes it a tenth smaller.
 */
export const compressZstd = (body: Buffer): Promise<Buffer> => zstdOf(body, 3)

/**
 * Compresses a page as what differs from `dictionary`, off the main thread. Level 10 takes 0.9 ms and
 * makes it 5 % larger than level 19, which takes 13 ms.
 */
export const compressDifference = (body: Buffer, dictionary: Buffer): Promise<Buffer> =>
  zstdOf(body, 10, dictionary)

async function zstdOf(body: Buffer, level: number, dictionary?: Buffer): Promise<Buffer> {
  const params = { [constants.ZSTD_c_compressionLevel]: level }
  const options = { pledgedSrcSize: body.length, ...inOnePiece(body), params }
  return exact(await zstd(body, { ...options, ...(dictionary && { dictionary }) }))
}

export const decompressZstd = async (body: Buffer): Promise<Buffer> => exact(await unzstd(body))

/**
 * Copies a part: zlib returns a view into a block of 16 KB or more, which must not stay in memory.
 */
function exact(part: Buffer): Buffer {
  const whole = Buffer.allocUnsafeSlow(part.length)
  part.copy(whole)
  return whole
}

interface Accepted {
  best: Encoding
  /** Whether the client accepts zstd with a dictionary that it names (RFC 9842). */
  dcz: boolean
}

// Browsers send a handful of headers; a client that invents new ones must not fill the memory.
const remembered = new LRUCache<string, Accepted>({ max: 100, memoMethod: parse })

/** The best encoding that a client accepts (RFC 9110 §12.5.3): br, then gzip, then none. */
export const acceptedEncoding = (header: string | undefined): Encoding =>
  header ? remembered.memo(header).best : 'identity'

export const acceptsDcz = (header: string | undefined): boolean =>
  header !== undefined && remembered.memo(header).dcz

function parse(header: string): Accepted {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((text) => text.startsWith('q='))
    weights.set(name, weight ? Number(weight.slice(2)) : 1)
  }
  const accepts = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0
  const best = accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : 'identity'
  return { best, dcz: (weights.get('dcz') ?? 0) > 0 }
}

export const mediaTypeOf = (file: string): string =>
  contentType(extname(file)) || 'application/octet-stream'

export const isCompressible = (mediaType: string): boolean =>
  /^text\/|javascript|json|xml|svg|manifest/.test(mediaType)
