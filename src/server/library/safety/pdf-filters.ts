import { constants, inflateSync } from 'node:zlib'

/** Thrown if the bytes unpack to more than allowed. */
export class TooMuch extends Error {}

/** Throws `TooMuch` beyond `most` bytes, or an error for damaged bytes. */
type Filter = (bytes: Uint8Array, most: number) => Uint8Array

/** The filters with which a PDF packs everything but pictures, by their names in the format. */
export const FILTERS: Readonly<Record<string, Filter>> = {
  FlateDecode: inflate,
  LZWDecode: unpackLzw,
  RunLengthDecode: unpackRuns,
  ASCII85Decode: read85,
  ASCIIHexDecode: readHex,
}

function inflate(bytes: Uint8Array, most: number): Uint8Array {
  try {
    // A truncated stream is unpacked as far as it goes.
    return inflateSync(bytes, { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new TooMuch()
    throw error
  }
}

/** A buffer that grows up to a limit. */
function output(most: number) {
  let bytes = new Uint8Array(64 * 1024)
  let length = 0
  return {
    add(added: Uint8Array): void {
      if (length + added.length > most) throw new TooMuch()
      if (length + added.length > bytes.length) {
        const larger = new Uint8Array(Math.max(2 * bytes.length, length + added.length))
        larger.set(bytes.subarray(0, length))
        bytes = larger
      }
      bytes.set(added, length)
      length += added.length
    },
    end: () => bytes.subarray(0, length),
  }
}

const CLEAR = 256
const LZW_END = 257
const LONGEST_CODE = 12

function unpackLzw(bytes: Uint8Array, most: number): Uint8Array {
  const out = output(most)
  let table: Uint8Array[] = []
  let width = 9
  let before: Uint8Array | null = null
  let bits = 0
  let count = 0
  const clear = () => {
    table = Array.from({ length: 258 }, (_, byte) => Uint8Array.of(byte))
    width = 9
    before = null
  }
  clear()
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xffffff
    count += 8
    if (count < width) continue
    count -= width
    const code = (bits >>> count) & ((1 << width) - 1)
    if (code === LZW_END) break
    if (code === CLEAR) {
      clear()
      continue
    }
    const known: Uint8Array | undefined = table[code]
    const piece: Uint8Array | undefined =
      known ?? (before ? joined(before, before[0] ?? 0) : undefined)
    if (!piece || code > table.length) throw new RangeError('no such code')
    out.add(piece)
    if (before && table.length < 1 << LONGEST_CODE) table.push(joined(before, piece[0] ?? 0))
    // The width changes one code early.
    if (table.length + 1 >= 1 << width && width < LONGEST_CODE) width += 1
    before = piece
  }
  return out.end()
}

function joined(piece: Uint8Array, byte: number): Uint8Array {
  const longer = new Uint8Array(piece.length + 1)
  longer.set(piece)
  longer[piece.length] = byte
  return longer
}

const RUNS_END = 128

function unpackRuns(bytes: Uint8Array, most: number): Uint8Array {
  const out = output(most)
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at] ?? RUNS_END
    if (length === RUNS_END) break
    if (length < RUNS_END) {
      out.add(bytes.subarray(at + 1, at + length + 2))
      at += length + 2
    } else {
      out.add(new Uint8Array(257 - length).fill(bytes[at + 1] ?? 0))
      at += 2
    }
  }
  return out.end()
}

/** The white space that all viewers skip; some take other bytes below 0x20 for digits. */
const SPACES = [9, 10, 13, 32]

function read85(bytes: Uint8Array, most: number): Uint8Array {
  const out = output(most)
  let group: number[] = []
  const flush = () => {
    const digits = [...group, 84, 84, 84, 84].slice(0, 5)
    const value = digits.reduce((sum, digit) => sum * 85 + digit, 0)
    const four = [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) & 0xff)
    out.add(Uint8Array.from(four.slice(0, Math.max(group.length - 1, 0))))
    group = []
  }
  for (const byte of bytes) {
    if (SPACES.includes(byte)) continue
    if (byte === 0x7e) break // ~>
    if (byte === 0x7a && group.length === 0) {
      out.add(new Uint8Array(4)) // z: four zeros
      continue
    }
    if (byte < 0x21 || byte > 0x75) throw new RangeError('no digit of base 85')
    group.push(byte - 0x21)
    if (group.length === 5) flush()
  }
  if (group.length > 0) flush()
  return out.end()
}

function readHex(bytes: Uint8Array, most: number): Uint8Array {
  const end = bytes.indexOf(0x3e) // >
  const written = Buffer.from(end < 0 ? bytes : bytes.subarray(0, end)).toString('latin1')
  const digits = written.replace(/\s/g, '')
  if (/[^\da-f]/i.test(digits)) throw new RangeError('no hexadecimal digit')
  if (digits.length > 2 * most) throw new TooMuch()
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
}
