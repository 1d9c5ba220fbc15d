import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import { UPLOAD_MAX_BYTES } from '../../../rules/uploads.ts'
import type { Schema } from '../../database/schema.ts'
import { BadCover, normaliseCover, type Renderer } from '../../library/library.ts'
import type { ListedDocument } from './check-rows.ts'
import { findFile } from './folder.ts'
import type { ImportProblem } from './problems.ts'

/** A PDF of a list that the shop takes. */
export interface CheckedFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
  readonly pages: number
}

/** A picture of a list as it will be kept. */
export interface CheckedCover {
  readonly path: string
}

/** What the files of a list are, by the names that its rows give them. */
export interface CheckedFiles {
  readonly pdfs: ReadonlyMap<string, CheckedFile>
  readonly covers: ReadonlyMap<string, CheckedCover>
  readonly problems: readonly ImportProblem[]
}

export interface CheckFilesOptions {
  readonly folder: string
  readonly renderer: Renderer
  /** Files whose content the shop has are not opened again. */
  readonly kysely: Kysely<Schema>
  readonly progress: (done: number, all: number) => void
}

/** Opens every file that a list names, once each, as an upload would be. */
export async function checkFiles(
  documents: readonly ListedDocument[],
  { folder, renderer, kysely, progress }: CheckFilesOptions,
): Promise<CheckedFiles> {
  const pdfs = new Map<string, CheckedFile>()
  const covers = new Map<string, CheckedCover>()
  const faults = new Map<string, Pick<ImportProblem, 'code' | 'detail'>>()
  const problems: ImportProblem[] = []

  for (const [at, document] of documents.entries()) {
    progress(at, documents.length)
    const { row, file, cover } = document
    const refuse = (column: 'file' | 'cover', name: string) => {
      const fault = faults.get(`${column} ${name}`)
      if (fault) problems.push({ row, column, ...fault })
    }
    if (!pdfs.has(file) && !faults.has(`file ${file}`)) {
      const checked = await checkPdf(file)
      if ('code' in checked) faults.set(`file ${file}`, checked)
      else pdfs.set(file, checked)
    }
    refuse('file', file)
    if (cover === null) continue
    if (!covers.has(cover) && !faults.has(`cover ${cover}`)) {
      const checked = await checkCover(folder, cover)
      if ('code' in checked) faults.set(`cover ${cover}`, checked)
      else covers.set(cover, checked)
    }
    refuse('cover', cover)
  }
  progress(documents.length, documents.length)
  return { pdfs, covers, problems }

  async function checkPdf(name: string) {
    const found = await findSized(folder, name, 'document')
    if ('code' in found) return found
    const sha256 = await hashOf(found.path)
    const known = await kysely
      .selectFrom('files')
      .select('pageCount')
      .where('sha256', '=', sha256)
      .where('pageCount', 'is not', null)
      .executeTakeFirst()
    if (known?.pageCount) return { ...found, sha256, pages: known.pageCount }
    const checked = await renderer.check(found.path)
    if (typeof checked === 'string') return { code: 'bad_file' as const, detail: checked }
    return { ...found, sha256, pages: checked.pages }
  }
}

async function checkCover(folder: string, name: string) {
  const found = await findSized(folder, name, 'cover')
  if ('code' in found) return found
  try {
    await normaliseCover(await readFile(found.path))
    return found
  } catch (error) {
    if (!(error instanceof BadCover)) throw error
    const detail = error.isTooLarge ? 'picture_too_large' : 'not_a_picture'
    return { code: 'bad_file' as const, detail }
  }
}

async function findSized(folder: string, name: string, purpose: 'document' | 'cover') {
  const found = await findFile(folder, name)
  if (typeof found === 'string') return { code: found, detail: name }
  if (found.size === 0) return { code: 'bad_file' as const, detail: 'file_empty' }
  if (found.size > UPLOAD_MAX_BYTES[purpose]) {
    return { code: 'bad_file' as const, detail: 'file_too_large' }
  }
  return found
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return hash.digest('hex')
}
