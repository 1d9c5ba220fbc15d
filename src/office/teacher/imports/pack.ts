import { IMPORT_FACTS, PACKAGE_MAX_FILES } from '../../../rules/imports.ts'
import { UPLOAD_MAX_BYTES } from '../../../rules/uploads.ts'
import type { NamedFile } from './chosen-files.ts'

/** The files cannot be packed into one upload. */
export class PackFailed extends Error {
  readonly reason: 'tooLarge' | 'tooMany' | 'unreadable'

  constructor(reason: PackFailed['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** The size of the pieces in which a file is read for its checksum (bytes). */
const PIECE_BYTES = 4 * 1024 * 1024

/**
 * Packs files into one uncompressed ZIP (PDFs and pictures are already compressed), so that one
 * upload sends all files or none. File contents are not copied: the browser reads each file when it
 * sends it. The same files always produce the same ZIP. A single ZIP file is returned unchanged.
 * `onProgress` receives a fraction from 0 to 1. Throws `PackFailed`.
 */
export async function pack(
  chosen: readonly NamedFile[],
  onProgress: (part: number) => void = () => {},
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
  let indexSize = 0
  let bytesRead = 0
  for (const { name, file } of files) {
    const crc = await crc32Of(file, (bytes) => {
      bytesRead += bytes
      onProgress(bytesRead / Math.max(size, 1))
    })
    const nameBytes = new TextEncoder().encode(name.normalize('NFC'))
    const fields = headerFields({ crc, size: file.size, name: nameBytes.length })
    const local = joined([uint32(LOCAL), fields, uint16(0), nameBytes])
    parts.push(local, file)
    const central = joined([
      uint32(CENTRAL),
      uint16(VERSION),
      fields,
      // No comment, one disk, no attributes.
      new Uint8Array(12),
      uint32(offset),
      nameBytes,
    ])
    index.push(central)
    offset += local.length + file.size
    indexSize += central.length
  }
  const count = uint16(files.length)
  const end = [uint32(END), uint32(0), count, count, uint32(indexSize), uint32(offset), uint16(0)]
  return new File([...parts, ...index, joined(end)], nameOf(files), { type: 'application/zip' })
}

/** The name of the upload: the name of the list and the number of files. */
function nameOf(files: readonly NamedFile[]): string {
  const list = files.find(({ name }) => /\.(?:csv|json)$/i.test(name)) ?? files[0]
  return `${list?.file.name ?? 'import'} (${files.length}).zip`
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
/** The ZIP version needed to extract the files: 2.0. */
const VERSION = 20
/** The flag for names in UTF-8. */
const UTF8 = 0x0800
/** The fixed date 1980-01-01, so that the same files always produce the same ZIP. */
const DAY_ONE = 0x0021

/** The fields that the local and the central header of a file share. */
function headerFields({
  crc,
  size,
  name,
}: {
  crc: number
  size: number
  name: number
}): Uint8Array {
  // The file is stored uncompressed, so both sizes are equal.
  const numbers = [uint16(VERSION), uint16(UTF8), uint16(0), uint16(0), uint16(DAY_ONE)]
  return joined([...numbers, uint32(crc), uint32(size), uint32(size), uint16(name)])
}

const uint16 = (value: number) => new Uint8Array([value & 0xff, (value >>> 8) & 0xff])
const uint32 = (value: number) => joined([uint16(value & 0xffff), uint16(value >>> 16)])

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

/** The checksum that ZIP requires for a file (CRC-32). */
async function crc32Of(file: Blob, onRead: (bytes: number) => void): Promise<number> {
  let crc = 0xffffffff
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    const piece = await file
      .slice(at, at + PIECE_BYTES)
      .arrayBuffer()
      .catch(() => {
        throw new PackFailed('unreadable')
      })
    for (const byte of new Uint8Array(piece)) {
      crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
    }
    onRead(piece.byteLength)
  }
  return (crc ^ 0xffffffff) >>> 0
}

/** The limits for the error messages of a failure. */
export const PACK_LIMITS = { megabytes: IMPORT_FACTS.megabytes, most: PACKAGE_MAX_FILES }
