import fc from 'fast-check'

/** Makes other bytes of some, which stay as they are. */
export type Change = (bytes: Buffer) => Buffer

// Of whole numbers, since most of the numbers between 0 and 1 are tiny.
const place = fc.integer({ min: 0, max: 1_000_000 }).map((part) => part / 1_000_000)

/** A change at any place, made of the bytes before it and from there on. */
const changeAt = <Value>(
  values: fc.Arbitrary<Value>,
  work: (before: Buffer, after: Buffer, value: Value) => readonly Uint8Array[],
): fc.Arbitrary<Change> =>
  fc.tuple(place, values).map(([share, value]) => (bytes) => {
    const at = Math.floor(share * Math.max(0, bytes.length - 1))
    return Buffer.concat(work(bytes.subarray(0, at), bytes.subarray(at), value))
  })

const length = fc.integer({ min: 1, max: 3000 })
const times = fc.integer({ min: 1, max: 40 })
const numbers = fc.constantFrom(
  ...'0 -1 1 7 65536 2147483647 4294967296'.split(' '),
  '9'.repeat(30),
)
const words = fc.constantFrom(0, 1, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff)

export const change: fc.Arbitrary<Change> = fc.oneof(
  // Bits are flipped.
  changeAt(fc.integer({ min: 1, max: 255 }), (before, after, bits) => [
    before,
    Buffer.from([(after[0] ?? 0) ^ bits]),
    after.subarray(1),
  ]),
  // The rest, or a piece, is missing, repeated or at the end.
  changeAt(fc.constant(null), (before) => [before]),
  changeAt(length, (before, after, size) => [before, after.subarray(size)]),
  changeAt(fc.tuple(length, times), (before, after, [size, count]) => [
    before,
    ...Array<Buffer>(count).fill(after.subarray(0, size)),
    after,
  ]),
  changeAt(length, (before, after, size) => [
    before,
    after.subarray(size),
    after.subarray(0, size),
  ]),
  // A number that is written in digits becomes another one: a length, a place, a count.
  changeAt(numbers, (before, after, value) => [
    before,
    Buffer.from(after.toString('latin1').replace(/\d+/, value), 'latin1'),
  ]),
  // Four bytes become another number: the lengths and places of ZIPs and pictures.
  changeAt(words, (before, after, value) => {
    const word = Buffer.alloc(4)
    word.writeUInt32LE(value)
    return [before, word, after.subarray(4)]
  }),
  changeAt(fc.uint8Array({ maxLength: 200 }), (before, after, more) => [before, more, after]),
)

/** The bytes after at least one change and at most so many. */
export const mutated = (bytes: Buffer, maxLength = 6): fc.Arbitrary<Buffer> =>
  fc
    .array(change, { minLength: 1, maxLength })
    .map((changes) => changes.reduce((now, each) => each(now), bytes))
