import { Readable } from 'node:stream'
import { textsIn } from '../../../i18n/texts.ts'
import type { Deps } from '../../deps.ts'
import { readTexts } from '../../site-texts/site-texts.ts'
import { stampsFor } from '../stamps/stamps.ts'
import type { Archive } from './archive-link.ts'
import type { ArchivedFile } from './bought-files.ts'
import { entryNames } from './entry-names.ts'
import { type Entry, type Zip, zipOf } from './zip.ts'

/**
 * The ZIP of an account's files, each with the bytes of its download; a text in it lists the lost
 * files. Throws `WorkersBusy` where a stamp is not ready in time.
 */
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
