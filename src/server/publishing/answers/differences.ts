import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import { sharedWork } from '../../concurrency/shared-work.ts'
import { createTurns } from '../../concurrency/turns.ts'
import { type Allowance, createAttempts } from '../../http/attempt-counter.ts'
import { addressKey, type ClientAddress, isLocal } from '../../http/client-address.ts'
import { compressDifference } from './compression.ts'
import { type Difference, namedDictionary } from './dictionaries.ts'
import { shortHash } from './etags.ts'
import type { Representation } from './representation.ts'

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
