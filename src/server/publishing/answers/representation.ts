import type { IncomingMessage, ServerResponse } from 'node:http'
import { acceptedEncoding, type Encoding } from './compression.ts'
import { type Difference, OFFER, takesDictionaries } from './dictionaries.ts'
import { contentHash, etagOf, namesHash } from './etags.ts'

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
      const etag = etagOf(this.hash, `dcz-${difference.from}`)
      res.writeHead(200, this.#headOf('dcz', difference.body, { ...OFFER, etag }))
      res.end(difference.body)
      return true
    }
    const variant = this.#variantFor(acceptedEncoding(req.headers['accept-encoding']))
    return variant instanceof Promise
      ? variant.then((made) => this.#write(req, res, made))
      : this.#write(req, res, variant)
  }

  /** Whether the client has the present content, in whatever encoding. */
  isKnownTo({ headers }: IncomingMessage): boolean {
    return this.status === 200 && namesHash(headers['if-none-match'], this.hash)
  }

  #confirm(req: IncomingMessage, res: ServerResponse): true {
    const { 'content-type': _type, ...headers } = this.#parts.headers
    const etag = etagOf(this.hash, acceptedEncoding(req.headers['accept-encoding']))
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
      ...(encoding !== 'dcz' && { etag: etagOf(this.hash, encoding) }),
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
