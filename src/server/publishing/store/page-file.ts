import { createHash } from 'node:crypto'

/** The properties of a page without its text. */
export interface PageMeta {
  path: string
  /** 200, or 404 for the page about a missing page. */
  status: number
  /** The tags of its data; it is stale once one of them changes after `clock`. */
  tags: readonly string[]
  /** The store's clock when its rendering began. */
  clock: number
  /**
   * Milliseconds since 1970 until which it is fresh, and until which it may be served; by default
   * forever.
   */
  freshUntil?: number | undefined
  servedUntil?: number | undefined
  /** The hash of the HTML, for the ETag. */
  hash: string
  headers: Readonly<Record<string, string>>
}

/** A page in the store. */
export interface StoredPage extends PageMeta {
  /** The `token` of the dictionary that the body is compressed with; undefined for none. */
  dictionary?: string | undefined
  /** The HTML as compressed by `compressZstd`. */
  body: Buffer
}

const MAGIC = 'karras-page-2'

/**
 * The bytes of a page's file: a line with a checksum of all that follows, a line of JSON, the body.
 */
export function encodePage({ body, ...meta }: StoredPage): Buffer {
  const rest = Buffer.concat([Buffer.from(`${JSON.stringify(meta)}\n`), body])
  return Buffer.concat([Buffer.from(`${MAGIC} ${checksum(rest)}\n`), rest])
}

/** Reads a page's file; undefined unless it is a whole page of that path. */
export function decodePage(bytes: Buffer, path: string): StoredPage | undefined {
  const endOfSeal = bytes.indexOf('\n')
  const endOfMeta = bytes.indexOf('\n', endOfSeal + 1)
  if (endOfSeal < 0 || endOfMeta < 0) return
  const seal = bytes.toString('latin1', 0, endOfSeal)
  if (seal !== `${MAGIC} ${checksum(bytes.subarray(endOfSeal + 1))}`) return
  const meta = JSON.parse(bytes.toString('utf8', endOfSeal + 1, endOfMeta))
  if (meta.path !== path) return
  return { ...meta, body: bytes.subarray(endOfMeta + 1) }
}

/** Whether a page's path has a query. */
export const hasQuery = (path: string): boolean => path.includes('?')

/** Whether a moment, in milliseconds since 1970, has passed. */
export const isOver = (until: number | undefined): boolean =>
  until !== undefined && until < Date.now()

const checksum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url')

/** A short hash of some content. */
export const contentHash = (content: Buffer | string): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22)
