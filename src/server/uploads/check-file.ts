import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { IMPORT_MAX_UNPACKED_BYTES } from '../../rules/imports.ts'
import type { UploadPurpose } from '../../rules/uploads.ts'
import type { Deps } from '../deps.ts'
import { keyOf } from '../files/files.ts'
import { fault } from '../http/errors.ts'
import { checkedPdf, normalisedPicture } from '../library/library.ts'
import type { Customer } from '../workers/workers.ts'
import { archivesFor } from './archives.ts'

/** A file that passed its check, in the form in which it is stored. */
export interface CheckedFile {
  readonly key: string
  /** Hexadecimal. */
  readonly sha256: string
  /** In bytes, as stored. */
  readonly size: number
  /** The new content if the check rewrote the file; null otherwise. */
  readonly bytes: Buffer | null
  readonly pageCount: number | null
  readonly width: number | null
  readonly height: number | null
  /** Where the content begins in the file that arrived. */
  readonly start: number
  /** Fonts that a PDF lacks, as in `CheckedPdf`. */
  readonly missingFonts: readonly string[]
  /** Whether a PDF is signed, so that it gets no stamp. */
  readonly isSigned: boolean
}

const WITHOUT_FACTS = {
  bytes: null,
  pageCount: null,
  width: null,
  height: null,
  start: 0,
  missingFonts: [],
  isSigned: false,
}

/** A local file that has not been checked yet. */
export interface ArrivedFile {
  /** An absolute path. */
  readonly path: string
  readonly sha256: string
  /** In bytes. */
  readonly size: number
}

/**
 * Checks a file by its content, whatever its name; throws a fault that states the problem, or
 * `WorkersBusy`.
 */
export function checkFile(
  deps: Pick<Deps, 'workers'>,
  purpose: UploadPurpose,
  file: ArrivedFile,
  customer: Customer,
): Promise<CheckedFile> {
  if (purpose === 'import') return checkPackage(deps, file, customer)
  if (purpose === 'document') return checkDocument(deps, file, customer)
  return checkPicture(deps, purpose, file, customer)
}

/** A file on this machine (absolute path), to be checked. */
export async function localFile(path: string): Promise<ArrivedFile> {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of createReadStream(path)) {
    hash.update(piece as Buffer)
    size += (piece as Buffer).byteLength
  }
  return { path, size, sha256: hash.digest('hex') }
}

/** Accepts a ZIP; the import checks the files in it. */
async function checkPackage(
  deps: Pick<Deps, 'workers'>,
  { path, sha256, size }: ArrivedFile,
  customer: Customer,
): Promise<CheckedFile> {
  const archive = await archivesFor(deps, customer).list({ path, sha256 })
  if (archive.fault) throw fault(archive.fault === 'too_large' ? 'zip_too_large' : 'not_a_zip')
  const unpacked = archive.files.reduce((sum, file) => sum + file.size, 0)
  if (unpacked > IMPORT_MAX_UNPACKED_BYTES) throw fault('zip_too_large')
  if (archive.files.length === 0) throw fault('file_empty')
  const key = keyOf(sha256, 'zip')
  return { ...WITHOUT_FACTS, key, sha256, size }
}

/** A PDF, without the bytes that are before it: its own index counts from its beginning. */
async function checkDocument(
  deps: Pick<Deps, 'workers'>,
  file: ArrivedFile,
  customer: Customer,
): Promise<CheckedFile> {
  const found = await checkedPdf(deps, file, customer)
  if (typeof found === 'string') throw fault(found)
  const { pages: pageCount, start, missingFonts, isSigned } = found
  const bytes = start > 0 ? (await readFile(file.path)).subarray(start) : null
  const sha256 = bytes ? createHash('sha256').update(bytes).digest('hex') : file.sha256
  const key = keyOf(sha256, 'pdf')
  const facts = { ...WITHOUT_FACTS, pageCount, start, missingFonts, isSigned }
  return { ...facts, key, sha256, size: file.size - start, bytes }
}

/** A picture in its stored form, including `bytes`. */
async function checkPicture(
  deps: Pick<Deps, 'workers'>,
  purpose: 'cover' | 'portrait' | 'receipt',
  file: ArrivedFile,
  customer: Customer,
): Promise<CheckedFile> {
  const picture = await normalisedPicture(deps, purpose, file, customer)
  if (typeof picture === 'string') throw fault(picture)
  const { width, height } = picture
  const bytes = Buffer.from(picture.bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const size = bytes.byteLength
  return { ...WITHOUT_FACTS, key: keyOf(sha256, 'webp'), sha256, size, bytes, width, height }
}
