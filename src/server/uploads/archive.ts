import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import iconv from 'iconv-lite'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { FILE_PATH_MAX_LENGTH, PACKAGE_MAX_FILES } from '../../rules/imports.ts'
import { normalForm } from '../../rules/pasted-text.ts'

// What opens a stranger's ZIP, in a child process. Paths are absolute.

/** A file in a ZIP; nothing is ever written under its name. */
export interface ArchivedFile {
  /** The path as a list may name it: separated by `/`, in composed letters (NFC). */
  readonly name: string
  /** What the path is in other encodings, for a ZIP that does not say which one it has. */
  readonly otherNames: readonly string[]
  /** What the ZIP says that it unpacks to, in bytes. */
  readonly size: number
  /** Where its packed bytes begin in the ZIP, and how many they are. */
  readonly packedAt: number
  readonly packedSize: number
  /** The number of its compression method. */
  readonly method: number
}

/** The files of a ZIP, or why it is not read. */
export type ListedArchive =
  | { readonly files: readonly ArchivedFile[]; readonly fault: null }
  | {
      /**
       * `bad`: it is no ZIP, is damaged or encrypted, has names outside itself, or files that lie
       * over each other; `too_large`: it has more files than anyone needs.
       */
      readonly fault: 'bad' | 'too_large'
      readonly reason: string
    }

/**
 * Lists the files of a ZIP without unpacking them. The bytes that it reads are bounded by `PACKAGE_MAX_FILES`
 * and the length of names, whatever the ZIP says. Throws nothing but the errors of the disk.
 */
export async function listArchive({ path }: { path: string }): Promise<ListedArchive> {
  const file = await open(path)
  let zip: ZipFile | undefined
  try {
    const { size } = await file.stat()
    zip = await fromRandomAccessReaderPromise(new BoundedReader(file, size), size, {
      autoClose: false,
    })
    if (zip.entryCount > PACKAGE_MAX_FILES) return tooLarge()
    const files: ArchivedFile[] = []
    const places: Place[] = []
    for await (const entry of zip.eachEntry()) {
      if (places.length === PACKAGE_MAX_FILES) return tooLarge()
      const fault = faultOf(entry)
      if (fault) return bad(fault)
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
      const { compressedSize } = entry
      places.push({
        from: entry.relativeOffsetOfLocalHeader,
        to: fileDataStart + compressedSize,
      })
      if (isAside(entry.fileName)) continue
      const [name = entry.fileName, ...otherNames] = namesOf(entry)
      files.push({
        name,
        otherNames,
        size: entry.uncompressedSize,
        packedAt: fileDataStart,
        packedSize: compressedSize,
        method: entry.compressionMethod,
      })
    }
    if (isAnyOverlap(places)) return bad('files lie over each other')
    return { files, fault: null }
  } catch (error) {
    if (isOfDisk(error)) throw error
    return bad(error instanceof Error ? error.message : String(error))
  } finally {
    zip?.close()
    await file.close()
  }
}

const bad = (reason: string) => ({ fault: 'bad', reason }) as const
const tooLarge = () => ({ fault: 'too_large', reason: 'too many files' }) as const

/** How many bytes an entry of the directory may have besides its name. */
const ENTRY_EXTRA_MAX_BYTES = 4096
/** The most bytes of a letter in UTF-8. */
const LETTER_MAX_BYTES = 4

function faultOf(entry: Entry): string | null {
  if (entry.isEncrypted()) return 'a file in it has a password'
  if (entry.fileNameLength > LETTER_MAX_BYTES * FILE_PATH_MAX_LENGTH) return 'a name is too long'
  const extra = entry.extraFieldLength + entry.fileCommentLength
  return extra > ENTRY_EXTRA_MAX_BYTES ? 'a file is described at too great length' : null
}

/** The flag of a name in UTF-8, and the extra field that repeats a name in UTF-8. */
const UTF8_FLAG = 0x800
const UNICODE_PATH = 0x7075

/**
 * The encodings of Windows Explorer in Tunisia, France and elsewhere, which do not say what they
 * are; nor does macOS, which writes UTF-8.
 */
const ENCODINGS = ['cp720', 'cp850', 'cp437', 'windows1256']

/** The names that an entry may have, the likeliest one first; more than one only if it is unsaid. */
function namesOf(entry: Entry): string[] {
  const { fileName, fileNameRaw } = entry
  const isSaid =
    (entry.generalPurposeBitFlag & UTF8_FLAG) !== 0 ||
    entry.extraFields.some(({ id }) => id === UNICODE_PATH)
  const names = isSaid
    ? [fileName]
    : [...utf8(fileNameRaw), ...ENCODINGS.map((encoding) => iconv.decode(fileNameRaw, encoding))]
  // macOS writes accents and letters separately.
  return [...new Set(names.map((name) => normalForm(name.replaceAll('\\', '/'), 'NFC')))]
}

/** The text of bytes that are UTF-8. Those of the other encodings hardly ever are. */
function utf8(bytes: Uint8Array): string[] {
  try {
    return [new TextDecoder('utf-8', { fatal: true }).decode(bytes)]
  } catch {
    return []
  }
}

/** The bytes of a ZIP that a file takes, with its header. */
interface Place {
  readonly from: number
  readonly to: number
}

function isAnyOverlap(places: readonly Place[]): boolean {
  const inOrder = places.toSorted((one, other) => one.from - other.from)
  return inOrder.some(({ to }, at) => to > (inOrder[at + 1]?.from ?? to))
}

/**
 * Reads a ZIP at any place that it names: one beyond its end is an error for the caller, where the
 * library's own reader would end the process with it.
 */
class BoundedReader extends RandomAccessReader {
  readonly #file: FileHandle
  readonly #size: number

  constructor(file: FileHandle, size: number) {
    super()
    this.#file = file
    this.#size = size
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    if (!(position >= 0 && position + length <= this.#size)) {
      setImmediate(callback, new Error('it names a place outside itself'))
      return
    }
    this.#file.read(buffer, offset, length, position).then(
      ({ bytesRead }) => callback(null, bytesRead),
      (error) => callback(error),
    )
  }
}

/** The end of an unpacking: `written` bytes, even where the file is `damaged`, and is not left. */
export interface Unpacked {
  readonly written: number
  /**
   * `too_large`: it says so itself, and nothing is unpacked; `damaged`: it has more or fewer bytes
   * than it says, or is packed in an unknown way.
   */
  readonly fault: 'too_large' | 'damaged' | null
}

const STORED = 0
const DEFLATED = 8

/**
 * Unpacks a file of a ZIP to the path `to`: at most `most` bytes, and no more than it says. Throws
 * nothing but the errors of the disk.
 */
export async function unpackEntry({
  path,
  file,
  to,
  most,
}: {
  path: string
  file: ArchivedFile
  to: string
  most: number
}): Promise<Unpacked> {
  const { size, packedAt, packedSize, method } = file
  if (size > most) return { written: 0, fault: 'too_large' }
  if (method !== STORED && method !== DEFLATED) return { written: 0, fault: 'damaged' }
  let written = 0
  async function* counted(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      written += piece.length
      if (written > size) throw new Error('more than it says')
      yield piece
    }
  }
  try {
    // The end is included, so an empty file has no such range.
    if (packedSize > 0) {
      const packed = createReadStream(path, { start: packedAt, end: packedAt + packedSize - 1 })
      const unpack = method === DEFLATED ? createInflateRaw() : new PassThrough()
      await pipeline(packed, unpack, counted, createWriteStream(to))
    } else {
      await (await open(to, 'w')).close()
    }
    if (written === size) return { written, fault: null }
  } catch (error) {
    if (isOfDisk(error)) throw error
  }
  await rm(to, { force: true })
  return { written, fault: 'damaged' }
}

/** Whether an error says nothing about the ZIP. */
const isOfDisk = (error: unknown): boolean =>
  typeof (error as NodeJS.ErrnoException).syscall === 'string'

/** Whether an entry is a folder, or a file that Finder or Explorer adds. */
const isAside = (name: string): boolean =>
  name.endsWith('/') ||
  /(?:^|\/)(?:\.[^/]*|Thumbs\.db|desktop\.ini)$/i.test(name) ||
  /^__MACOSX\//.test(name)
