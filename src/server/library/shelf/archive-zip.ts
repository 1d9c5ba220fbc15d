import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { textsIn } from '../../../i18n/texts.ts'
import { downloadName, fittingName } from '../../../rules/downloads.ts'
import type { Deps } from '../../deps.ts'
import { readTexts } from '../../site-texts/site-texts.ts'
import type { LibraryFile } from '../sending/find-file.ts'
import type { Archive } from '../sending/signed-links.ts'
import { stampsFor } from '../stamping/stamps.ts'

export interface ArchivedFile extends LibraryFile {
  readonly documentId: number
  readonly purchasedAt: Date
  readonly version: number
}

/** The files as downloads have them, and a list of lost ones. Throws `WorkersBusy`. */
export async function archiveOf(
  deps: Deps,
  { userId, locale }: Archive,
  files: readonly ArchivedFile[],
): Promise<Zip> {
  const { present, lost } = await sortByPresence(deps, files)
  const tails = await stampsFor(deps, { userId, files: present })
  const texts = textsIn(locale, 'archive:missing', await readTexts(deps.database.kysely))
  const names = entryNames([...present, { title: texts.file, fileType: 'txt' }])
  const entries = present.map((file, at): Entry => {
    const stamp = tails.get(file.documentId)
    const size = file.size + (stamp?.size ?? 0)
    return {
      name: names[at] ?? '',
      changedAt: file.purchasedAt,
      size,
      async open() {
        const tail = await stamp?.read()
        const stored = await deps.files.read(file.storageKey)
        if (!stored) throw new Error(`the file of document ${file.documentId} is lost`)
        return tail ? followedBy(stored, tail) : stored
      },
    }
  })
  if (lost.length > 0) {
    deps.report(`A ZIP goes without lost files, of documents ${lost.map(idOf).join(', ')}`)
    // Begins with the byte order mark that makes Windows read it as UTF-8.
    const lines = [`\ufeff${texts.text}`, '', ...lost.map(({ title }) => title), '']
    const bytes = Buffer.from(lines.join('\r\n'))
    entries.push({
      name: names.at(-1) ?? '',
      changedAt: new Date(deps.now()),
      size: bytes.length,
      open: async () => Readable.from([bytes]),
    })
  }
  return zipOf(entries)
}

/** A file with its stamp appended; destroying the stream closes the file. */
function followedBy(stored: Readable, tail: Buffer): Readable {
  async function* content(): AsyncGenerator<Buffer> {
    yield* stored
    yield tail
  }
  // If the client leaves before the first byte, the generator never starts and cannot close the
  // file.
  return Readable.from(content(), { objectMode: false }).once('close', () => stored.destroy())
}

const idOf = ({ documentId }: ArchivedFile) => documentId

/** The files that can be sent, and those that are lost or truncated. */
async function sortByPresence(
  { files: storage }: Pick<Deps, 'files'>,
  files: readonly ArchivedFile[],
): Promise<{ present: ArchivedFile[]; lost: ArchivedFile[] }> {
  const present: ArchivedFile[] = []
  const lost: ArchivedFile[] = []
  for (const file of files) {
    const isThere = (await storage.sizeOf(file.storageKey)) === file.size
    if (isThere) present.push(file)
    else lost.push(file)
  }
  return { present, lost }
}

/** Names that Windows reserves for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)\./i

/** The names of downloads, made unique even where case is ignored. */
function entryNames(
  files: readonly { readonly title: string; readonly fileType: string }[],
): string[] {
  const taken = new Set<string>()
  return files.map(({ title, fileType }) => {
    const { utf8 } = downloadName(title, fileType)
    const safe = DEVICE.test(utf8) ? `_${utf8}` : utf8
    const ending = /\.[^.]*$/.exec(safe)?.[0] ?? ''
    const stem = safe.slice(0, safe.length - ending.length)
    let name = fittingName(stem, ending)
    for (let count = 2; taken.has(name.toLowerCase()); count++) {
      name = fittingName(stem, ` (${count})${ending}`)
    }
    taken.add(name.toLowerCase())
    return name
  })
}

/** `open` is called when the file is about to be written. */
interface Entry {
  readonly name: string
  readonly changedAt: Date
  /** In bytes. */
  readonly size: number
  open(): Promise<Readable>
}

interface Zip {
  readonly stream: Readable
  /** In bytes. */
  readonly size: number
}

/**
 * A ZIP of these files one after the other, uncompressed, since PDFs are compressed already. It
 * holds a few chunks in memory, whatever their sizes. A file that cannot be read to its announced
 * end aborts the stream; destroying the stream closes the file that is being read.
 */
async function zipOf(entries: readonly Entry[]): Promise<Zip> {
  const zip = new ZipFile()
  const stream = zip.outputStream as Readable
  let current: Readable | undefined
  const fail = (error: unknown) => stream.destroy(error instanceof Error ? error : undefined)
  zip.on('error', fail)
  stream.once('close', () => current?.destroy())
  for (const { name, changedAt, size, open } of entries) {
    const options = { compress: false, size, mtime: changedAt }
    zip.addReadStreamLazy(name, options, async (pass) => {
      try {
        const opened = await open()
        if (stream.destroyed) opened.destroy()
        else {
          current = opened.once('error', fail)
          pass(null, opened)
        }
      } catch (error) {
        fail(error)
      }
    })
  }
  const size = await new Promise<number>((resolve) => {
    // The library's types lack the size that it passes to the callback.
    zip.end(undefined, ((total: number) => resolve(total)) as () => void)
  })
  return { stream, size }
}
