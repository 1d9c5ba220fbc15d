import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Kysely } from 'kysely'
import { coverPath } from '../../../rules/pictures.ts'
import { type StaffUploadPurpose, UPLOAD_MAX_BYTES } from '../../../rules/uploads.ts'
import type { Database } from '../../database/pool.ts'
import type { Schema } from '../../database/schema.ts'
import type { Deps } from '../../deps.ts'
import { keyOf, type Storage } from '../../files/files.ts'
import { ApiFault } from '../../http/errors.ts'
import { type ArrivedFile, checkFile, localFile, type TakenFile } from '../../uploads/uploads.ts'
import type { Customer } from '../../workers/workers.ts'
import type { ListedDocument } from './check-rows.ts'
import { type ImportNote, type ImportProblem, noteOf } from './problems.ts'
import type { ListSource } from './sources.ts'

/**
 * A file of a list that the shop accepts, whose content begins at `start`; `pageCount` of a PDF, else
 * null.
 */
export interface ListedFile extends ArrivedFile {
  readonly pageCount: number | null
  readonly start: number
}

export interface ListedFiles {
  readonly pdfs: ReadonlyMap<string, ListedFile>
  readonly covers: ReadonlyMap<string, ListedFile>
  readonly problems: readonly ImportProblem[]
  readonly notes: readonly ImportNote[]
}

/** The files that passed their check, by SHA-256: page counts, null for pictures. */
export type FoundFiles = Map<string, number | null>

interface CheckFilesOptions {
  readonly source: Pick<ListSource, 'find'>
  readonly workers: Deps['workers']
  /** The account that pays for the checks. */
  readonly customer: Customer
  /** For finding files that the shop already has, which are not opened again. */
  readonly kysely: Kysely<Schema>
  /**
   * Files that an earlier check has accepted, which are not opened again; newly accepted ones are
   * added.
   */
  readonly found?: FoundFiles | undefined
  readonly progress: (done: number, all: number) => void
}

type ListedPurpose = Exclude<StaffUploadPurpose, 'import' | 'portrait'>
type Fault = Pick<ImportProblem, 'code' | 'detail'>

/** Checks every file that a list names, once each, by the rules of uploads. */
export async function checkFiles(
  documents: readonly ListedDocument[],
  { source, workers, customer, kysely, found = new Map(), progress }: CheckFilesOptions,
): Promise<ListedFiles> {
  const checked = { document: new Map<string, ListedFile>(), cover: new Map<string, ListedFile>() }
  const faults = { document: new Map<string, Fault>(), cover: new Map<string, Fault>() }
  const problems: ImportProblem[] = []
  const notes: ImportNote[] = []
  /** The fonts that PDFs lack, by name. */
  const lacking = new Map<string, string>()
  const signed = new Set<string>()

  async function checkOnce(purpose: ListedPurpose, name: string): Promise<void> {
    const file = await checkNamed(purpose, name)
    if ('code' in file) faults[purpose].set(name, file)
    else checked[purpose].set(name, file)
  }

  async function checkNamed(purpose: ListedPurpose, name: string): Promise<ListedFile | Fault> {
    const named = await source.find(name)
    if (typeof named === 'string') return { code: named, detail: name }
    if (named.size === 0) return badFile('file_empty')
    if (named.size > UPLOAD_MAX_BYTES[purpose]) return badFile('file_too_large')
    const file = await localFile(named.path)
    const before = found.get(file.sha256)
    if (before !== undefined && (before === null) === (purpose === 'cover')) {
      return { ...file, pageCount: before, start: 0 }
    }
    const known = await kysely
      .selectFrom('files')
      .select('pageCount')
      .where('sha256', '=', file.sha256)
      .where('pageCount', 'is not', null)
      .executeTakeFirst()
    if (known && purpose === 'document') {
      return { ...file, pageCount: known.pageCount, start: 0 }
    }
    try {
      const checked = await checkFile({ workers }, purpose, file, customer)
      const { pageCount, start, missingFonts, isSigned } = checked
      if (missingFonts.length > 0) lacking.set(name, missingFonts.join(', '))
      if (isSigned) signed.add(name)
      // A file of which there is more to say is checked again by the next list.
      if (missingFonts.length === 0 && !isSigned && start === 0) found.set(file.sha256, pageCount)
      // A cover is drawn anew when it is stored.
      const { sha256, size } = purpose === 'document' ? checked : file
      return { path: file.path, sha256, size, pageCount, start }
    } catch (error) {
      if (error instanceof ApiFault) return badFile(error.code)
      throw error
    }
  }

  for (const [at, { row, file, cover }] of documents.entries()) {
    progress(at, documents.length)
    for (const [purpose, column, name] of [
      ['document', 'file', file],
      ['cover', 'cover', cover],
    ] as const) {
      if (name === null) continue
      if (!checked[purpose].has(name) && !faults[purpose].has(name)) await checkOnce(purpose, name)
      const fault = faults[purpose].get(name)
      if (fault) problems.push({ row, column, ...fault })
      const fonts = purpose === 'document' ? lacking.get(name) : undefined
      if (fonts) notes.push({ ...noteOf('missing_fonts', fonts, row), column })
      if (purpose === 'document' && signed.has(name)) {
        notes.push({ ...noteOf('signed_file', name, row), column })
      }
    }
  }
  progress(documents.length, documents.length)
  return { pdfs: checked.document, covers: checked.cover, problems, notes }
}

const badFile = (detail: string): Fault => ({ code: 'bad_file', detail })

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
  /** The account that pays for drawing the covers. */
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
