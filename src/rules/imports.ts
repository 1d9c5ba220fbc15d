import { DAY_MS } from './durations.ts'
import { inMegabytes, UPLOAD_MAX_BYTES } from './uploads.ts'

/** The most documents that a teacher's list brings at once. */
export const IMPORT_MAX_DOCUMENTS = 1000

/** A teacher's documents that lists have brought and that were never published. */
export const IMPORTED_DRAFTS_MAX = 2000

/** Imports that an account begins in `IMPORTS_WINDOW_MS`; one is open at a time. */
export const IMPORTS_MAX = 20
export const IMPORTS_WINDOW_MS = DAY_MS

/** Packages of one import: what was mended is sent by itself. */
export const IMPORT_MAX_PACKAGES = 10

/** The most files of a package: a PDF and a cover for each document, and a list. */
export const PACKAGE_MAX_FILES = 2 * IMPORT_MAX_DOCUMENTS + 100

/** What the files of an import unpack to, in bytes. */
export const IMPORT_MAX_UNPACKED_BYTES = 2 * UPLOAD_MAX_BYTES.import

/** How often what a shop that stopped has left half-way is begun anew. */
export const IMPORT_MAX_TRIES = 5

/** What is listed of what is wrong with a list. */
export const IMPORT_PROBLEMS_SHOWN = 200

/** The limits as sentences say them. */
export const IMPORT_FACTS = {
  documents: IMPORT_MAX_DOCUMENTS,
  megabytes: inMegabytes(UPLOAD_MAX_BYTES.import),
  pdf: inMegabytes(UPLOAD_MAX_BYTES.document),
}

/**
 * Where an import is: its list and files are looked at, wrong, right and waiting for the start, being
 * put into the shop, in it, given up by the shop, or by its teacher.
 */
export const IMPORT_PHASES = [
  'checking',
  'refused',
  'ready',
  'importing',
  'done',
  'failed',
  'given_up',
] as const
export type ImportPhase = (typeof IMPORT_PHASES)[number]

/** What is being done of an import that is looked at or put into the shop. */
export const IMPORT_STEPS = ['checking', 'storing', 'writing'] as const
export type ImportStep = (typeof IMPORT_STEPS)[number]

/** What is wrong with a list, a row of it, or a file that a row names. */
export const LIST_PROBLEMS = [
  'not_utf8',
  'not_readable',
  'unknown_column',
  'missing_column',
  'no_rows',
  'too_many_rows',
  'required',
  'too_long',
  'not_listed',
  'ambiguous',
  'not_an_amount',
  'price_out_of_range',
  'discount_out_of_range',
  'not_an_email',
  'repeated',
  'new_teacher_without_name',
  'not_a_teacher',
  'other_teacher',
  'state_impossible',
  'outside_folder',
  'file_missing',
  'bad_file',
] as const

/** The same of a list that a teacher uploads. */
export const UPLOADED_PROBLEMS = [
  'no_list',
  'several_lists',
  'too_much_unpacked',
  'not_unpacked',
  'too_many_drafts',
  'under_review',
  'file_for_sale',
] as const

export const IMPORT_PROBLEMS = [...LIST_PROBLEMS, ...UPLOADED_PROBLEMS] as const
export type ProblemCode = (typeof IMPORT_PROBLEMS)[number]
