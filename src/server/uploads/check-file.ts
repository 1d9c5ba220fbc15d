import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { IMPORT_MAX_UNPACKED_BYTES } from '../../rules/imports.ts'
import type { UploadPurpose } from '../../rules/uploads.ts'
import { keyOf } from '../files/files.ts'
import { fault } from '../http/errors.ts'
import {
  BadPicture,
  ExhaustingPdf,
  normaliseCover,
  normalisePortrait,
  type Renderer,
  RendererBusy,
  UnreadablePdf,
} from '../library/library.ts'
import { listArchive } from './archive.ts'

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
}

/** A local file that has not been checked yet. */
export interface ArrivedFile {
  /** An absolute path. */
  readonly path: string
  readonly sha256: string
  /** In bytes. */
  readonly size: number
}

/** Checks a file by its content, whatever its name; throws a fault that states the problem. */
export function checkFile(
  renderer: Renderer,
  purpose: UploadPurpose,
  file: ArrivedFile,
): Promise<CheckedFile> {
  if (purpose === 'import') return checkPackage(file)
  return purpose === 'document' ? checkDocument(renderer, file) : checkPicture(purpose, file.path)
}

/** Accepts a ZIP; the import checks the files in it. */
async function checkPackage({ path, sha256, size }: ArrivedFile): Promise<CheckedFile> {
  const archive = await listArchive(path)
  if (archive.fault) throw fault(archive.fault === 'too_large' ? 'zip_too_large' : 'not_a_zip')
  const unpacked = archive.files.reduce((sum, file) => sum + file.size, 0)
  if (unpacked > IMPORT_MAX_UNPACKED_BYTES) throw fault('zip_too_large')
  if (archive.files.length === 0) throw fault('file_empty')
  const key = keyOf(sha256, 'zip')
  return { key, sha256, size, bytes: null, pageCount: null, width: null, height: null }
}

async function checkDocument(renderer: Renderer, file: ArrivedFile): Promise<CheckedFile> {
  const { path, sha256, size } = file
  const answer = await renderer.run<'check'>({ kind: 'check', path }).catch((error: unknown) => {
    if (error instanceof RendererBusy) throw fault('unavailable')
    if (error instanceof ExhaustingPdf) throw fault('pdf_too_complex')
    if (error instanceof UnreadablePdf) throw fault('pdf_damaged')
    throw error
  })
  if (answer.fault !== null) throw fault(answer.fault)
  const key = keyOf(sha256, 'pdf')
  return { key, sha256, size, bytes: null, pageCount: answer.pages, width: null, height: null }
}

/**
 * A picture in its stored form, including `bytes`; throws `not_a_picture` or `picture_too_large`.
 */
export async function checkPicture(
  purpose: Exclude<UploadPurpose, 'document'>,
  path: string,
): Promise<CheckedFile> {
  const normalise = purpose === 'cover' ? normaliseCover : normalisePortrait
  const { bytes, width, height } = await normalise(await readFile(path)).catch((error) => {
    if (error instanceof BadPicture) {
      throw fault(error.isTooLarge ? 'picture_too_large' : 'not_a_picture')
    }
    throw error
  })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const size = bytes.byteLength
  return { key: keyOf(sha256, 'webp'), sha256, size, bytes, pageCount: null, width, height }
}
