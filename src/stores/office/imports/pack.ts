import { IMPORT_FACTS, PACKAGE_MAX_FILES } from '../../../rules/imports.ts'
import { UPLOAD_MAX_BYTES } from '../../../rules/uploads.ts'

/** A file with the name that the list may use: its path in the chosen folder. */
export interface NamedFile {
  readonly name: string
  readonly file: File
}

/** Why files cannot be sent together; `limit` is worded for a sentence. */
export class PackFailed extends Error {
  readonly reason: 'tooLarge' | 'tooMany' | 'unreadable'

  constructor(reason: PackFailed['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** How much of a file is read at a time for its checksum (bytes). */
const PIECE_BYTES = 4 * 1024 * 1024

/**
 * Puts files into one uncompressed ZIP (PDFs and pictures are compressed already), so that one upload
 * sends all or nothing. Nothing is copied: the browser reads each file when it is sent. The same files
 * make the same ZIP. A single ZIP is sent as it is. Throws `PackFailed`.
 */
export async function pack(
  chosen: readonly NamedFile[],
  progress: (part: number) => void = () => {},
): Promise<File> {
  const [only, ...others] = chosen
  if (!only) throw new PackFailed('unreadable')
  const size = chosen.reduce((sum, { file }) => sum + file.size, 0)
  if (size > UPLOAD_MAX_BYTES.import) throw new PackFailed('tooLarge')
  if (others.length === 0 && /\.zip$/i.test(only.name)) return only.file
  if (chosen.length > PACKAGE_MAX_FILES) throw new PackFailed('tooMany')

  const parts: BlobPart[] = []
  const index: BlobPart[] = []
  const files = [...chosen].sort((one, other) => (one.name < other.name ? -1 : 1))
  let offset = 0
  let indexed = 0
  let read = 0
  for (const { name, file } of files) {
    const sum = await sumOf(file, (bytes) => {
      read += bytes
      progress(read / Math.max(size, 1))
    })
    const bytes = new TextEncoder().encode(name.normalize('NFC'))
    const facts = factsOf({ sum, size: file.size, name: bytes.length })
    const local = joined([word(LOCAL), facts, half(0), bytes])
    parts.push(local, file)
    const central = joined([
      word(CENTRAL),
      half(VERSION),
      facts,
      // No comment, one disk, no attributes.
      new Uint8Array(12),
      word(offset),
      bytes,
    ])
    index.push(central)
    offset += local.length + file.size
    indexed += central.length
  }
  const count = half(files.length)
  const end = [word(END), word(0), count, count, word(indexed), word(offset), half(0)]
  return new File([...parts, ...index, joined(end)], nameOf(files), { type: 'application/zip' })
}

/** The name of the upload: that of the list. */
function nameOf(files: readonly NamedFile[]): string {
  const list = files.find(({ name }) => /\.(?:csv|json)$/i.test(name)) ?? files[0]
  return `${list?.file.name ?? 'import'} (${files.length}).zip`
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
/** The version of ZIP needed to read it: 2.0. */
const VERSION = 20
/** Flag: names are in UTF-8. */
const UTF8 = 0x0800
/** 1980-01-01, so that the same files make the same ZIP. */
const DAY_ONE = 0x0021

/** The fields that both headers of a file have. */
function factsOf({ sum, size, name }: { sum: number; size: number; name: number }): Uint8Array {
  // Stored uncompressed: both sizes are equal.
  const numbers = [half(VERSION), half(UTF8), half(0), half(0), half(DAY_ONE)]
  return joined([...numbers, word(sum), word(size), word(size), half(name)])
}

const half = (value: number) => new Uint8Array([value & 0xff, (value >>> 8) & 0xff])
const word = (value: number) => joined([half(value & 0xffff), half(value >>> 16)])

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** The checksum of a file in a ZIP (CRC-32). */
async function sumOf(file: Blob, onRead: (bytes: number) => void): Promise<number> {
  let sum = 0xffffffff
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    const piece = await file
      .slice(at, at + PIECE_BYTES)
      .arrayBuffer()
      .catch(() => {
        throw new PackFailed('unreadable')
      })
    for (const byte of new Uint8Array(piece)) {
      sum = (TABLE[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8)
    }
    onRead(piece.byteLength)
  }
  return (sum ^ 0xffffffff) >>> 0
}

/** The limits that the sentences about a failure name. */
export const PACK_LIMITS = { megabytes: IMPORT_FACTS.megabytes, most: PACKAGE_MAX_FILES }
