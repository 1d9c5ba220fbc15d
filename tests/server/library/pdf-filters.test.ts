import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FILTERS, TooMuch } from '../../../src/server/library/safety/pdf-filters.ts'

/** Encoders for each filter; for tests, not for compression. */
const PACKERS: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  FlateDecode: (bytes) => deflateSync(bytes),
  LZWDecode: packLzw,
  RunLengthDecode: (bytes) => Buffer.from([...packRuns(bytes), 128]),
  ASCII85Decode: (bytes) => Buffer.from(`${inBase85(bytes)}~>`),
  ASCIIHexDecode: (bytes) => Buffer.from(`${Buffer.from(bytes).toString('hex')}>`),
}

/** Encodes runs of equal bytes, and single bytes. */
function packRuns(bytes: Uint8Array): number[] {
  const packed: number[] = []
  for (let at = 0; at < bytes.length; ) {
    let length = 1
    while (length < 128 && bytes[at + length] === bytes[at]) length += 1
    packed.push(length === 1 ? 0 : 257 - length, bytes[at] ?? 0)
    at += length
  }
  return packed
}

/** Codes of 9 bits: the table is reset before it needs more. */
function packLzw(bytes: Uint8Array): Buffer {
  const codes = [...bytes].flatMap((byte, at) => (at % 200 === 0 ? [256, byte] : [byte]))
  const bits = [...codes, 257].map((code) => code.toString(2).padStart(9, '0')).join('')
  return Buffer.from(
    (bits.match(/.{1,8}/g) ?? []).map((eight) => Number.parseInt(eight.padEnd(8, '0'), 2)),
  )
}

function inBase85(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) {
    const four = [...bytes.subarray(at, at + 4)]
    const count = four.length
    let value = [...four, 0, 0, 0].slice(0, 4).reduce((sum, byte) => sum * 256 + byte, 0)
    const digits: string[] = []
    for (let digit = 0; digit < 5; digit++) {
      digits.unshift(String.fromCharCode(0x21 + (value % 85)))
      value = Math.floor(value / 85)
    }
    text += digits.slice(0, count + 1).join('')
  }
  return text
}

describe.each(Object.keys(FILTERS))('%s', (name) => {
  const unpack = FILTERS[name] ?? expect.unreachable()
  const pack = PACKERS[name] ?? expect.unreachable()

  test('decodes what was encoded, and not more than allowed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 2000 }), (bytes) => {
        expect(Buffer.from(unpack(pack(bytes), 2000))).toEqual(Buffer.from(bytes))
      }),
      { numRuns: 30 },
    )
    expect(() => unpack(pack(new Uint8Array(300_000).fill(7)), 1000)).toThrow(TooMuch)
  })
})

test('LZW decodes codes that it has seen, also the one that it is defining', () => {
  // The example of the PDF reference: 45 45 45 45 45 65 45 45 45 66.
  const packed = Buffer.from('800b6050220c0c8501', 'hex')
  expect([...(FILTERS.LZWDecode?.(packed, 100) ?? [])]).toEqual([
    45, 45, 45, 45, 45, 65, 45, 45, 45, 66,
  ])
})
