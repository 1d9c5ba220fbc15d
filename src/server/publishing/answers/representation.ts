import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { sharedWork } from '../../concurrency/shared-work.ts'
import { createTurns } from '../../concurrency/turns.ts'
import { type Allowance, createAttempts } from '../../http/attempt-counter.ts'
import { addressKey, type ClientAddress, isLocal } from '../../http/client-address.ts'
import { acceptedEncoding, acceptsDcz, compressDifference, type Encoding } from './compression.ts'

/** A body as what differs from a page that the browser has (RFC 9842). */
interface Difference {
  /** The hash of that page. */
  from: string
  body: Buffer
}

interface Variant {
  body: Buffer
  /** The headers as alternating names and values, which Node writes without checking each. */
  head: string[]
  /** The headers for a browser that may use the page as a dictionary. */
  offering: string[]
}

interface RepresentationParts {
  status?: number
  /** The hash of the uncompressed content, from which the ETag is made. */
  hash: string
  headers: Readonly<Record<string, string>>
  bodies: Partial<Record<Encoding, Buffer>>
  /** Makes the bodies that `bodies` lacks, each once, when one is requested. */
  make?: (encoding: Encoding) => Promise<Buffer>
  /** Makes a smaller body in brotli, which takes long, for an answer that is asked for again; undefined: not now. */
  shrink?: () => Promise<Buffer> | undefined
  /** The memory of what they are made from, in bytes. */
  madeFromBytes?: number
  /** Whether it is a public page, which browsers may use as the dictionary of the next one. */
  isDictionary?: boolean
}

/** The memory that a page's headers, tags and objects take besides its bodies, in bytes. */
const PAGE_OVERHEAD = 3000

/**
 * Headers by which Chromium keeps a page as a dictionary for a day; it asks for a changed page all
 * the same. Only that browser's own cache may keep them. Answers in shared caches suit every
 * browser, so `vary` does not name `sec-ch-ua`: the service worker's requests lack it, and would not
 * find what its browser has.
 */
const OFFER = {
  'cache-control': 'private, max-age=0, stale-while-revalidate=86400',
  'cdn-cache-control': 'no-store',
  'use-as-dictionary': 'match="/*", match-dest=("document")',
}

/**
 * Whether a request is a navigation of Chromium. Other browsers would show the old page first where
 * `stale-while-revalidate` is set (Firefox), and have no such dictionaries.
 */
const takesDictionaries = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers['sec-fetch-dest'] === 'document' &&
  (headers['sec-ch-ua']?.includes('"Chromium"') ?? false)

/** An answer ready to be sent: a status, headers and one body in several encodings. */
export class Representation {
  readonly #parts: RepresentationParts
  readonly #variants = new Map<Encoding, Variant>()
  readonly #pending = new Map<Encoding, Promise<Variant>>()
  #isShrunk = false
  /** Called when the representation takes more memory than before. */
  onGrowth: (() => void) | undefined

  constructor(parts: RepresentationParts) {
    this.#parts = parts
    for (const [encoding, body] of Object.entries(parts.bodies)) {
      if (body) this.#keep(encoding as Encoding, body)
    }
  }

  get status(): number {
    return this.#parts.status ?? 200
  }

  get hash(): string {
    return this.#parts.hash
  }

  get isDictionary(): boolean {
    return this.#parts.isDictionary ?? false
  }

  get bytes(): number {
    const { madeFromBytes = 0 } = this.#parts
    const bodies = [...this.#variants.values()].map(({ body }) => body.length)
    return bodies.reduce((sum, bytes) => sum + bytes, madeFromBytes + PAGE_OVERHEAD)
  }

  header(name: string): string | undefined {
    return this.#parts.headers[name]
  }

  as(status: number, headers: Readonly<Record<string, string>> = {}): Representation {
    return new Representation({
      ...this.#parts,
      status,
      headers: { ...this.#parts.headers, ...headers },
    })
  }

  /** The same answer with a changed text and more headers, to be sent once. */
  async changed(
    change: (text: string) => string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Representation> {
    const text = change((await this.text()).toString())
    return new Representation({
      status: this.status,
      hash: contentHash(text),
      headers: { ...this.#parts.headers, ...headers },
      bodies: { identity: Buffer.from(text) },
    })
  }

  async text(): Promise<Buffer> {
    const { bodies, make } = this.#parts
    const text = bodies.identity ?? (await make?.('identity'))
    if (!text) throw new Error('This representation has no uncompressed body.')
    return text
  }

  /**
   * Sends the answer, or the `difference` in its place; synchronously if the body exists in the
   * requested encoding.
   */
  send(req: IncomingMessage, res: ServerResponse, difference?: Difference): true | Promise<true> {
    if (this.isKnownTo(req)) return this.#confirm(req, res)
    if (difference) {
      const etag = this.#etag(`dcz-${difference.from}`)
      res.writeHead(200, this.#headOf('dcz', difference.body, { ...OFFER, etag }))
      res.end(difference.body)
      return true
    }
    const variant = this.#variantFor(acceptedEncoding(req.headers['accept-encoding']))
    return variant instanceof Promise
      ? variant.then((made) => this.#write(req, res, made))
      : this.#write(req, res, variant)
  }

  /**
   * Whether the client has the present content, in whatever encoding, by weak comparison
   * (RFC 9110 §13.1.2).
   */
  isKnownTo({ headers }: IncomingMessage): boolean {
    const known = headers['if-none-match']
    if (this.status !== 200 || known === undefined) return false
    if (known.trim() === '*') return true
    return known.split(',').some((tag) => {
      const [, hash] = /^\s*(?:W\/)?"([^"]*?)(?:-br|-gzip|-dcz-[\w-]{22})?"\s*$/.exec(tag) ?? []
      return hash === this.#parts.hash
    })
  }

  #confirm(req: IncomingMessage, res: ServerResponse): true {
    const { 'content-type': _type, ...headers } = this.#parts.headers
    const etag = this.#etag(acceptedEncoding(req.headers['accept-encoding']))
    const offer = this.isDictionary && takesDictionaries(req) && OFFER
    res.writeHead(304, { ...headers, ...this.#varying, ...offer, etag }).end()
    return true
  }

  #write(req: IncomingMessage, res: ServerResponse, { head, offering, body }: Variant): true {
    res.writeHead(this.status, this.isDictionary && takesDictionaries(req) ? offering : head)
    res.end(req.method === 'HEAD' ? undefined : body)
    return true
  }

  #variantFor(encoding: Encoding): Variant | Promise<Variant> {
    const { make } = this.#parts
    const ready =
      this.#variants.get(encoding) ?? (make ? undefined : this.#variants.get('identity'))
    if (ready) {
      if (encoding === 'br') this.#shrink()
      return ready
    }
    if (!make) throw new Error('This representation has no body that every client takes.')
    const pending = this.#pending.get(encoding) ?? this.#make(encoding, make)
    this.#pending.set(encoding, pending)
    return pending
  }

  async #make(encoding: Encoding, makeBody: (encoding: Encoding) => Promise<Buffer>) {
    try {
      return this.#keep(encoding, await makeBody(encoding))
    } finally {
      this.#pending.delete(encoding)
    }
  }

  #shrink(): void {
    const smaller = this.#isShrunk ? undefined : this.#parts.shrink?.()
    if (!smaller) return
    this.#isShrunk = true
    // Without it, the body that is there goes on being sent.
    smaller.then((body) => this.#keep('br', body)).catch(() => undefined)
  }

  /** The header that tells caches which parts of a request the answer depends on. */
  get #varying(): Record<string, string> {
    const { bodies, make } = this.#parts
    if (this.isDictionary) return { vary: 'accept-encoding, available-dictionary' }
    const hasChoice = make !== undefined || Object.values(bodies).filter(Boolean).length > 1
    return hasChoice ? { vary: 'accept-encoding' } : {}
  }

  /** The tag of the body in an encoding, for `dcz` with the page from which it differs. */
  #etag(encoding: Encoding | `dcz-${string}`): string {
    return `"${this.hash}${encoding === 'identity' ? '' : `-${encoding}`}"`
  }

  #headOf(
    encoding: Encoding | 'dcz',
    body: Buffer,
    more: Readonly<Record<string, string>> = {},
  ): string[] {
    return Object.entries({
      ...this.#parts.headers,
      ...this.#varying,
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
      'content-length': String(body.length),
      ...(encoding !== 'dcz' && { etag: this.#etag(encoding) }),
      ...more,
    }).flat()
  }

  #keep(encoding: Encoding, body: Buffer): Variant {
    const head = this.#headOf(encoding, body)
    const offering = this.isDictionary ? this.#headOf(encoding, body, OFFER) : head
    const variant = { body, head, offering }
    this.#variants.set(encoding, variant)
    this.onGrowth?.()
    return variant
  }
}

/** The part of a SHA-256 hash by which contents are told apart, in letters, digits, `-` and `_`. */
const shortHash = (sha256: Buffer): string => sha256.toString('base64url').slice(0, 22)

export const contentHash = (content: Buffer | string): string =>
  shortHash(createHash('sha256').update(content).digest())

interface DifferencesOptions {
  /** Finds a page in memory, current or not, by the hash of its text. */
  find: (hash: string) => Representation | undefined
  addressOf: ClientAddress
  /** How many differences are made for one address; by default as many as a school needs. */
  allowance?: Allowance
}

/** The bytes that answers in the encoding `dcz` begin with, before the hash of their dictionary. */
const MARK = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0])

/** Making a difference takes some 2 ms of a processor, beside the main thread. */
const DIFFERENCES_ALLOWANCE: Allowance = { max: 100, windowMs: 10_000 }
const AT_ONCE = 2
const WAITING = 50
/** The memory of the differences that were made, in bytes: some thousand pairs of pages. */
const KEPT_BYTES = 8 << 20
/** The memory that one takes besides its body, in bytes. */
const DIFFERENCE_OVERHEAD = 300

/**
 * Sends a page as what differs from the one that its browser had before and names by its hash (RFC
 * 9842), as long as that one is in memory; `undefined` where the usual encoding has to do. The work
 * that strangers can cause is bounded by address and in total, and each pair of pages is compressed
 * once.
 */
export function createDifferences(options: DifferencesOptions) {
  const { find, addressOf, allowance = DIFFERENCES_ALLOWANCE } = options
  const kept = new LRUCache<string, Difference>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ body }) => body.length + DIFFERENCE_OVERHEAD,
  })
  const attempts = createAttempts(Date.now)
  const turns = createTurns(AT_ONCE, {
    waiting: WAITING,
    refusal: () => new Error('Too many pages are being compressed.'),
  })
  const once = sharedWork<Difference | undefined>()

  function isAllowed(req: IncomingMessage): boolean {
    const ip = addressOf(req)
    return isLocal(ip) || attempts.take(addressKey(ip), allowance) === 0
  }

  async function make(page: Representation, dictionary: Representation, hash: Buffer) {
    const [text, known] = await Promise.all([page.text(), dictionary.text()])
    // The browser can decode the answer only if it has these very bytes.
    if (!createHash('sha256').update(known).digest().equals(hash)) return
    const body = Buffer.concat([MARK, hash, await compressDifference(text, known)])
    return { from: dictionary.hash, body }
  }

  return (
    page: Representation,
    req: IncomingMessage,
  ): Difference | undefined | Promise<Difference | undefined> => {
    const hash = page.isDictionary ? namedDictionary(req) : undefined
    if (!hash || page.isKnownTo(req)) return
    const from = shortHash(hash)
    const pair = `${page.hash} ${from}`
    const ready = kept.get(pair)
    if (ready) return ready
    const dictionary = find(from)
    if (!dictionary || !isAllowed(req)) return
    const made = once(pair, () => turns.take(() => make(page, dictionary, hash)))
    return made.then(
      (difference) => {
        if (difference) kept.set(pair, difference)
        return difference
      },
      () => undefined,
    )
  }
}

/** The hash of the page that a browser has and offers as a dictionary; undefined for most requests. */
function namedDictionary(req: IncomingMessage): Buffer | undefined {
  const { 'available-dictionary': token, 'accept-encoding': accepted } = req.headers
  if (typeof token !== 'string' || !acceptsDcz(accepted) || !takesDictionaries(req)) return
  const [, base64] = /^\s*:([A-Za-z0-9+/]{43}=):\s*$/.exec(token) ?? []
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64')
}
