import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Kysely } from 'kysely'
import { coverPath } from '../../../rules/pictures.ts'
import type { Database } from '../../database/pool.ts'
import type { Schema } from '../../database/schema.ts'
import type { Deps } from '../../deps.ts'
import { keyOf, type Storage } from '../../files/files.ts'
import { checkFile, type TakenFile } from '../../uploads/uploads.ts'
import type { Customer } from '../../workers/workers.ts'
import type { ListedFile, ListedFiles } from './check-files.ts'
import type { ListedDocument } from './check-rows.ts'

/** A document of a list whose files are stored. */
export interface StoredDocument extends ListedDocument {
  readonly pdf: TakenFile
  /** The picture's path, as in a document's `coverPath`; null for a drawn cover. */
  readonly coverPath: string | null
}

/** A file changed between its check and its import; nothing was imported. */
export class FileChanged extends Error {
  override readonly name = 'FileChanged'
}

interface StoreOptions {
  readonly database: Pick<Database, 'kysely'>
  readonly files: Storage
  readonly workers: Deps['workers']
  /** Who pays for drawing the covers. */
  readonly customer: Customer
  readonly progress: (done: number, all: number) => void
}

/**
 * Stores the checked files of a list, once each. An existing file is written again, which renews
 * its age, so that no clean-up deletes it before a document refers to it.
 */
export async function storeFiles(
  documents: readonly ListedDocument[],
  { pdfs, covers }: ListedFiles,
  options: StoreOptions,
): Promise<StoredDocument[]> {
  const coverPaths = new Map<string, string>()
  const isStored = new Set<string>()
  const stored: StoredDocument[] = []
  for (const [at, document] of documents.entries()) {
    options.progress(at, documents.length)
    const pdf = pdfs.get(document.file)
    if (!pdf) throw new Error(`${document.file} was not checked`)
    const { sha256, size, pageCount } = pdf
    const key = keyOf(sha256, 'pdf')
    if (!isStored.has(key)) await options.files.putAs(key, piecesOf(pdf))
    isStored.add(key)
    const cover = document.cover === null ? undefined : covers.get(document.cover)
    if (cover && !coverPaths.has(cover.sha256)) {
      coverPaths.set(cover.sha256, await storeCover(cover, options))
    }
    stored.push({
      ...document,
      pdf: { key, sha256, size, pageCount },
      coverPath: cover ? (coverPaths.get(cover.sha256) ?? null) : null,
    })
  }
  return stored
}

async function storeCover(
  cover: ListedFile,
  { database, files, workers, customer }: StoreOptions,
): Promise<string> {
  // A cover that this shop exported is kept unchanged: encoding it again would change the picture.
  const own = coverPath(cover.sha256)
  if (await isCover(database.kysely, own)) return own
  const { key, sha256, bytes } = await checkFile({ workers }, 'cover', cover, customer)
  if (bytes === null) throw new Error(`${cover.path} was not drawn anew`)
  await files.putAs(key, bytes)
  return coverPath(sha256)
}

async function isCover(kysely: Kysely<Schema>, path: string): Promise<boolean> {
  const used = await kysely
    .selectFrom('documents')
    .select('id')
    .where('coverPath', '=', path)
    .limit(1)
    .executeTakeFirst()
  return used !== undefined
}

/**
 * Streams the file's content; throws `FileChanged` at its end if it differs from the checked
 * content.
 */
async function* piecesOf({ path, sha256, start }: ListedFile): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path, { start })) {
    hash.update(piece as Buffer)
    yield piece as Buffer
  }
  if (hash.digest('hex') !== sha256) throw new FileChanged(`${path} changed while it was imported.`)
}
