import type { Kysely } from 'kysely'
import { UPLOAD_MAX_BYTES, type UploadPurpose } from '../../../rules/uploads.ts'
import type { Schema } from '../../database/schema.ts'
import type { Deps } from '../../deps.ts'
import { ApiFault } from '../../http/errors.ts'
import { type ArrivedFile, checkFile, localFile } from '../../uploads/uploads.ts'
import type { Customer } from '../../workers/workers.ts'
import type { ListedDocument } from './check-rows.ts'
import type { ListSource } from './list-source.ts'
import { type ImportNote, type ImportProblem, noteOf } from './problems.ts'

/**
 * A file of a list that the shop accepts, whose content begins at `start`; `pageCount` of a PDF, else
 * null.
 */
export interface ListedFile extends ArrivedFile {
  readonly pageCount: number | null
  readonly start: number
}

/** The checked files of a list, by the names in its rows. */
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
  /** Who pays for the checks. */
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

type ListedPurpose = Exclude<UploadPurpose, 'import' | 'portrait'>
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
      const { pageCount, start, missingFonts } = checked
      if (missingFonts.length > 0) lacking.set(name, missingFonts.join(', '))
      // Of which there is more to say is checked again by the next list.
      else if (start === 0) found.set(file.sha256, pageCount)
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
    }
  }
  progress(documents.length, documents.length)
  return { pdfs: checked.document, covers: checked.cover, problems, notes }
}

const badFile = (detail: string): Fault => ({ code: 'bad_file', detail })
