import type { Readable } from 'node:stream'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { PACKAGE_MAX_FILES } from '../../rules/imports.ts'
import { normalForm } from '../../rules/normal-form.ts'

/** A file in a ZIP; nothing is ever written under its name. */
export interface ArchivedFile {
  /** The path as a list may name it: separated by `/`, in composed letters (NFC). */
  readonly name: string
  /** In bytes, uncompressed. */
  readonly size: number
  /**
   * Streams the content; fails if it has more or fewer bytes than `size`, or is packed in an
   * unknown way.
   */
  open(): Promise<Readable>
}

/** A ZIP that can be read. */
export interface Archive {
  readonly files: readonly ArchivedFile[]
  close(): void
}

/** The file is not a ZIP, is damaged or encrypted, or contains names outside itself. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive'
  /** Whether the ZIP has more files than anyone needs. */
  readonly isTooLarge: boolean

  constructor(message: string, isTooLarge = false) {
    super(message)
    this.isTooLarge = isTooLarge
  }
}

/** Lists the files of a ZIP without unpacking them. Throws `BadArchive`. */
export async function openArchive(path: string): Promise<Archive> {
  let zip: ZipFile | undefined
  try {
    zip = await openPromise(path, { lazyEntries: true, autoClose: false })
    const entries = await entriesOf(zip)
    const opened = zip
    const files = entries
      .filter(({ fileName }) => !isAside(fileName))
      .map((entry) => ({
        // macOS writes accents and letters separately.
        name: normalForm(entry.fileName, 'NFC'),
        size: entry.uncompressedSize,
        open: () => opened.openReadStreamPromise(entry),
      }))
    return { files, close: () => opened.close() }
  } catch (error) {
    zip?.close()
    if (error instanceof BadArchive) throw error
    throw new BadArchive(error instanceof Error ? error.message : String(error))
  }
}

function entriesOf(zip: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = []
    zip.on('error', reject)
    zip.on('end', () => resolve(entries))
    zip.on('entry', (entry: Entry) => {
      if (entry.isEncrypted()) return reject(new BadArchive('a file in it has a password'))
      entries.push(entry)
      if (entries.length > PACKAGE_MAX_FILES) reject(new BadArchive('too many files', true))
      else zip.readEntry()
    })
    zip.readEntry()
  })
}

/** Whether an entry is a folder, or a file that Finder or Explorer adds. */
const isAside = (name: string): boolean =>
  name.endsWith('/') ||
  /(?:^|\/)(?:\.[^/]*|Thumbs\.db|desktop\.ini)$/i.test(name) ||
  /^__MACOSX\//.test(name)
