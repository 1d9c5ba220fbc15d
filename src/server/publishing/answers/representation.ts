import type { IncomingMessage, ServerResponse } from 'node:http'
import { acceptedEncoding, type Encoding } from './compression.ts'

/** Makes a body in an encoding that was not stored, once. */
export type MakeBody = (encoding: Encoding) => Promise<Buffer>

interface Variant {
  etag: string
  body: Buffer
  /** Names and values in turn, as Node writes them without looking at each. */
  head: string[]
}

export interface RepresentationParts {
  status?: number
  /** The hash of the uncompressed content, from which the ETag is made. */
  hash: string
  headers: Readonly<Record<string, string>>
  bodies: Partial<Record<Encoding, Buffer>>
  /** Encodings besides those of `bodies` that are made on request. */
  make?: { encodings: readonly Encoding[]; body: MakeBody }
}

/** An answer ready to be sent: a status, headers and one body in several encodings. */
export class Representation {
  readonly #parts: RepresentationParts
  readonly #variants = new Map<Encoding, Variant>()
  readonly #pending = new Map<Encoding, Promise<Variant>>()

  constructor(parts: RepresentationParts) {
    this.#parts = parts
    for (const [encoding, body] of Object.entries(parts.bodies)) {
      if (body) this.#keep(encoding as Encoding, body)
    }
  }

  get status(): number {
    return this.#parts.status ?? 200
  }

  /** A header that it is sent with, by its name in lower case. */
  header(name: string): string | undefined {
    return this.#parts.headers[name]
  }

  /** The same with another status and further headers. */
  as(status: number, headers: Readonly<Record<string, string>> = {}): Representation {
    return new Representation({
      ...this.#parts,
      status,
      headers: { ...this.#parts.headers, ...headers },
    })
  }

  /** Sends it; synchronously where the body exists in the requested encoding. */
  send(req: IncomingMessage, res: ServerResponse): true | Promise<true> {
    const variant = this.#variantFor(acceptedEncoding(req.headers['accept-encoding']))
    return variant instanceof Promise
      ? variant.then((made) => this.#write(req, res, made))
      : this.#write(req, res, variant)
  }

  #write(req: IncomingMessage, res: ServerResponse, { etag, head, body }: Variant): true {
    const known = req.headers['if-none-match']
    if (this.status === 200 && known !== undefined && this.#isKnown(known)) {
      const { 'content-type': _type, ...headers } = this.#parts.headers
      res.writeHead(304, { ...headers, etag, vary: 'accept-encoding' }).end()
    } else {
      res.writeHead(this.status, head)
      res.end(req.method === 'HEAD' ? undefined : body)
    }
    return true
  }

  /** Weak comparison (RFC 9110 §13.1.2), whatever the encoding of the client's copy. */
  #isKnown(ifNoneMatch: string): boolean {
    if (ifNoneMatch.trim() === '*') return true
    return ifNoneMatch.split(',').some((tag) => {
      const [, hash] = /^\s*(?:W\/)?"([^"]*?)(?:-br|-gzip)?"\s*$/.exec(tag) ?? []
      return hash === this.#parts.hash
    })
  }

  #variantFor(encoding: Encoding): Variant | Promise<Variant> {
    const ready = this.#variants.get(encoding)
    if (ready) return ready
    const { make } = this.#parts
    if (make?.encodings.includes(encoding)) {
      const pending = this.#pending.get(encoding) ?? this.#make(encoding, make.body)
      this.#pending.set(encoding, pending)
      return pending
    }
    return encoding === 'identity' ? this.#first() : this.#variantFor('identity')
  }

  async #make(encoding: Encoding, makeBody: MakeBody): Promise<Variant> {
    try {
      return this.#keep(encoding, await makeBody(encoding))
    } finally {
      this.#pending.delete(encoding)
    }
  }

  #first(): Variant {
    const [variant] = this.#variants.values()
    if (!variant) throw new Error('A representation needs at least one body.')
    return variant
  }

  #keep(encoding: Encoding, body: Buffer): Variant {
    const { hash, headers, bodies, make } = this.#parts
    const isEncoded = encoding !== 'identity'
    const etag = `"${hash}${isEncoded ? `-${encoding}` : ''}"`
    const hasChoice = make !== undefined || Object.values(bodies).filter(Boolean).length > 1
    const all: Record<string, string> = {
      ...headers,
      ...(isEncoded && { 'content-encoding': encoding }),
      ...(hasChoice && { vary: 'accept-encoding' }),
      'content-length': String(body.length),
      etag,
    }
    const variant = { etag, body, head: Object.entries(all).flat() }
    this.#variants.set(encoding, variant)
    return variant
  }
}
