import type { IncomingMessage, ServerResponse } from 'node:http'
import { acceptedEncoding, type Encoding } from './compression.ts'
import { chosenDictionary, type Dictionaries, type Dictionary, type Offer } from './dictionary.ts'

/** The form of a body: an encoding, or `dcz` with a dictionary. */
export type Form = Encoding | Dictionary

/** Makes a body in a form that was not stored, once. */
export type MakeBody = (form: Form) => Promise<Buffer>

interface Variant {
  encoding: Encoding | 'dcz'
  etag: string
  body: Buffer
  /** The headers as alternating names and values, which Node writes without checking each. */
  head: string[]
  /** The headers with the offer of a dictionary. */
  offering: string[]
  /** How often the variant was sent. */
  sent: number
}

export interface RepresentationParts {
  status?: number
  /** The hash of the uncompressed content, from which the ETag is made. */
  hash: string
  headers: Readonly<Record<string, string>>
  bodies: Partial<Record<Encoding, Buffer>>
  /** The body compressed with a dictionary, if it was stored in that form. */
  compressed?: { dictionary: Dictionary; body: Buffer }
  /** Encodings, in addition to those of `bodies`, that are made on request. */
  make?: { encodings: readonly Encoding[]; body: MakeBody }
  /** The dictionaries with which `make` compresses as well. */
  find?: Dictionaries['find'] | undefined
  /** The offer of a dictionary, for clients that were not sent a body compressed with it. */
  offer?: Offer | undefined
}

/** A variant sent this often is worth a smaller body. */
const OFTEN = 2

/** The memory that a page's headers, tags and objects take besides its bodies, in bytes. */
const OVERHEAD = 3000

/** An answer ready to be sent: a status, headers and one body in several forms. */
export class Representation {
  readonly #parts: RepresentationParts
  readonly #variants = new Map<string, Variant>()
  readonly #pending = new Map<string, Promise<Variant>>()
  /** Called when the representation takes more memory than before. */
  onGrowth: (() => void) | undefined
  /**
   * Called when a variant is requested often; the callee may then pass a smaller brotli body to
   * `improve`.
   */
  onOften: ((form: Encoding | 'dcz') => void) | undefined

  constructor(parts: RepresentationParts) {
    this.#parts = parts
    for (const [encoding, body] of Object.entries(parts.bodies)) {
      if (body) this.#keep(encoding as Encoding, body)
    }
    if (parts.compressed) this.#keep(parts.compressed.dictionary, parts.compressed.body)
  }

  get status(): number {
    return this.#parts.status ?? 200
  }

  /** The memory that the representation takes, in bytes. */
  get bytes(): number {
    return [...this.#variants.values()].reduce((sum, { body }) => sum + body.length, OVERHEAD)
  }

  /** A header of the answer, by its name in lower case. */
  header(name: string): string | undefined {
    return this.#parts.headers[name]
  }

  /** A copy with another status and further headers. */
  as(status: number, headers: Readonly<Record<string, string>> = {}): Representation {
    return new Representation({
      ...this.#parts,
      status,
      headers: { ...this.#parts.headers, ...headers },
    })
  }

  /** Replaces the brotli body with a smaller one of the same content. */
  improve(brotli: Buffer): void {
    this.#keep('br', brotli)
  }

  /** Sends the answer; synchronously if the body exists in the requested form. */
  send(req: IncomingMessage, res: ServerResponse): true | Promise<true> {
    const variant = this.#variantFor(this.#formFor(req))
    return variant instanceof Promise
      ? variant.then((made) => this.#write(req, res, made))
      : this.#write(req, res, variant)
  }

  #formFor({ method, headers }: IncomingMessage): Form {
    // Chromium fails if an answer names a dictionary and has no body that begins with its hash.
    const find = method === 'HEAD' ? undefined : this.#parts.find
    return (find && chosenDictionary(headers, find)) || acceptedEncoding(headers['accept-encoding'])
  }

  #write(req: IncomingMessage, res: ServerResponse, variant: Variant): true {
    const { etag, head, offering, body } = variant
    const known = req.headers['if-none-match']
    if (this.status === 200 && known !== undefined && this.#isKnown(known)) {
      const { 'content-type': _type, ...headers } = this.#parts.headers
      res.writeHead(304, { ...headers, etag, ...this.#varying }).end()
    } else {
      // A client that saves data is not offered a dictionary that it did not request.
      res.writeHead(this.status, req.headers['save-data'] === 'on' ? head : offering)
      res.end(req.method === 'HEAD' ? undefined : body)
      if (++variant.sent === OFTEN) this.onOften?.(variant.encoding)
    }
    return true
  }

  /** Weak comparison (RFC 9110 §13.1.2), whatever the form of the client's copy. */
  #isKnown(ifNoneMatch: string): boolean {
    if (ifNoneMatch.trim() === '*') return true
    return ifNoneMatch.split(',').some((tag) => {
      const [, hash] = /^\s*(?:W\/)?"([^"]*?)(?:-br|-gzip|-dcz-[\w-]{12})?"\s*$/.exec(tag) ?? []
      return hash === this.#parts.hash
    })
  }

  #variantFor(form: Form): Variant | Promise<Variant> {
    const name = nameOf(form)
    const ready = this.#variants.get(name)
    if (ready) return ready
    const { make } = this.#parts
    if (make && (typeof form !== 'string' || make.encodings.includes(form))) {
      const pending = this.#pending.get(name) ?? this.#make(form, make.body)
      this.#pending.set(name, pending)
      return pending
    }
    return form === 'identity' ? this.#first() : this.#variantFor('identity')
  }

  async #make(form: Form, makeBody: MakeBody): Promise<Variant> {
    try {
      return this.#keep(form, await makeBody(form))
    } finally {
      this.#pending.delete(nameOf(form))
    }
  }

  #first(): Variant {
    const [variant] = this.#variants.values()
    if (!variant) throw new Error('A representation needs at least one body.')
    return variant
  }

  /** The headers that tell caches which parts of a request the answer depends on. */
  get #varying(): Record<string, string> {
    const { bodies, make, find } = this.#parts
    if (find) return { vary: 'accept-encoding, available-dictionary' }
    const hasChoice = make !== undefined || Object.values(bodies).filter(Boolean).length > 1
    return hasChoice ? { vary: 'accept-encoding' } : {}
  }

  #keep(form: Form, body: Buffer): Variant {
    const { hash, headers, offer } = this.#parts
    const encoding: Variant['encoding'] = typeof form === 'string' ? form : 'dcz'
    const etag = `"${hash}${form === 'identity' ? '' : `-${nameOf(form)}`}"`
    const all: Record<string, string> = {
      ...headers,
      ...(encoding === 'dcz' && onlyForItsClient(headers)),
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
      ...this.#varying,
      'content-length': String(body.length),
      etag,
    }
    const head = Object.entries(all).flat()
    const link = offer && offer.dictionary !== form && [headers.link, offer.link]
    const offering = link
      ? Object.entries({ ...all, link: link.filter(Boolean).join(', ') }).flat()
      : head
    const variant = { encoding, etag, body, head, offering, sent: 0 }
    this.#variants.set(nameOf(form), variant)
    this.onGrowth?.()
    return variant
  }
}

const nameOf = (form: Form): string => (typeof form === 'string' ? form : `dcz-${form.id}`)

/**
 * Keeps an answer out of caches that others share: some CDNs respect only the encoding in `Vary`,
 * and would send the answer to clients without its dictionary.
 */
function onlyForItsClient(headers: Readonly<Record<string, string>>): Record<string, string> {
  const caching = headers['cache-control']
  if (!caching?.includes('public')) return {}
  return {
    'cache-control': caching.replace('public', 'private').replace(/, s-maxage=\d+/, ''),
  }
}
