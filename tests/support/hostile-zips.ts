import { crc32, deflateRawSync } from 'node:zlib'

// ZIPs as no honest program writes them: what each part says is free.

const STORED = 0
const DEFLATED = 8
const UTF8_NAME = 0x800

/** A file of such a ZIP; what is left out is true. */
export interface HostileFile {
  readonly name: string | Buffer
  readonly content?: Uint8Array | string
  /** What the ZIP says that the file unpacks to, in bytes. */
  readonly size?: number
  /** The number of the file whose packed bytes this one shares. */
  readonly sameAs?: number
  /** How many packed bytes it says that it has. */
  readonly packedSize?: number
  /** Bytes beside the name in the directory. */
  readonly extra?: Buffer
  /** The general purpose flags; that the name is UTF-8 if they are left out. */
  readonly flags?: number
}

/** What the end of a ZIP says about its directory. */
interface End {
  readonly entries?: number
  /** Where its directory begins; `true`: where it does. */
  readonly directoryAt?: bigint | true
}

/** A ZIP; with `end.directoryAt` in the form for large ones (ZIP64). */
export function hostileZip(files: readonly HostileFile[], end: End = {}): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  const placed: { at: number; method: number; packedSize: number }[] = []
  let length = 0
  for (const {
    name,
    content = '',
    sameAs,
    extra = Buffer.alloc(0),
    flags = UTF8_NAME,
    ...says
  } of files) {
    const bytes = Buffer.from(content as Uint8Array)
    const title = Buffer.from(name as Buffer)
    const packed = bytes.length > 100 ? deflateRawSync(bytes) : bytes
    const isSmaller = packed.length < bytes.length
    const own = {
      at: length,
      method: isSmaller ? DEFLATED : STORED,
      packedSize: isSmaller ? packed.length : bytes.length,
    }
    const place = (sameAs === undefined ? undefined : placed[sameAs]) ?? own
    placed.push(place)
    const header = Buffer.alloc(26)
    header.writeUInt16LE(20, 0)
    header.writeUInt16LE(flags, 2)
    header.writeUInt16LE(place.method, 4)
    header.writeUInt32LE(crc32(bytes), 10)
    header.writeUInt32LE(says.packedSize ?? place.packedSize, 14)
    header.writeUInt32LE(says.size ?? bytes.length, 18)
    header.writeUInt16LE(title.length, 22)
    if (sameAs === undefined) {
      const body = [Buffer.from('PK\x03\x04'), header, title, isSmaller ? packed : bytes]
      bodies.push(...body)
      length += Buffer.concat(body).length
    }
    const entry = Buffer.alloc(46)
    entry.write('PK\x01\x02', 0, 'latin1')
    entry.writeUInt16LE(20, 4)
    header.copy(entry, 6)
    entry.writeUInt16LE(extra.length, 30)
    entry.writeUInt32LE(place.at, 42)
    directory.push(entry, title, extra)
  }
  const listed = Buffer.concat(directory)
  return Buffer.concat([...bodies, listed, ...endOf(files.length, { length, listed }, end)])
}

function endOf(
  count: number,
  { length, listed }: { length: number; listed: Buffer },
  { entries = count, directoryAt }: End,
): Buffer[] {
  const last = Buffer.alloc(22)
  last.write('PK\x05\x06', 0, 'latin1')
  last.writeUInt16LE(entries, 8)
  last.writeUInt16LE(entries, 10)
  last.writeUInt32LE(listed.length, 12)
  last.writeUInt32LE(length, 16)
  if (directoryAt === undefined) return [last]
  const large = Buffer.alloc(56)
  large.write('PK\x06\x06', 0, 'latin1')
  large.writeBigUInt64LE(44n, 4)
  large.writeBigUInt64LE(BigInt(entries), 24)
  large.writeBigUInt64LE(BigInt(entries), 32)
  large.writeBigUInt64LE(BigInt(listed.length), 40)
  large.writeBigUInt64LE(directoryAt === true ? BigInt(length) : directoryAt, 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07', 0, 'latin1')
  locator.writeBigUInt64LE(BigInt(length + listed.length), 8)
  locator.writeUInt32LE(1, 16)
  return [large, locator, last]
}
