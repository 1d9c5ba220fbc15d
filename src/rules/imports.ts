import { DAY_MS } from './durations.ts'
import { inMegabytes, UPLOAD_MAX_BYTES } from './uploads.ts'

export const IMPORT_MAX_DOCUMENTS = 1000

/** How many documents the operator's list may have; one transaction writes them all. */
export const LIST_MAX_ROWS = 5000

/** The largest list, in bytes, unpacked. */
export const LIST_MAX_BYTES = 4 * 1024 * 1024

/** How many columns a list may have: twice as many as there are. */
export const LIST_MAX_COLUMNS = 32

/**
 * How much of a cell is read, in UTF-16 units: more than any column may have, whose own limit then
 * refuses it.
 */
export const LIST_CELL_MAX_LENGTH = 12_000

/** The longest path of a file in a list or a ZIP, in characters. */
export const FILE_PATH_MAX_LENGTH = 1000

/** How many unpublished documents from lists a teacher may have. */
export const IMPORTED_DRAFTS_MAX = 2000

/** How many imports an account may begin within `IMPORTS_WINDOW_MS`; only one is open at a time. */
export const IMPORTS_MAX = 20
export const IMPORTS_WINDOW_MS = DAY_MS

/** How many packages an import may have, since corrected files are sent separately. */
export const IMPORT_MAX_PACKAGES = 10

/**
 * How many files a package may have: a PDF and a cover for each document, a list, and some more.
 */
export const PACKAGE_MAX_FILES = 2 * IMPORT_MAX_DOCUMENTS + 100

/** How many bytes the files of an import may unpack to. */
export const IMPORT_MAX_UNPACKED_BYTES = 2 * UPLOAD_MAX_BYTES.import

/**
 * How often an import is tried that fails. A try that the shop's own stop interrupts does not
 * count, and one that ended the process counts by the rule of all jobs.
 */
export const IMPORT_MAX_TRIES = 5

export const IMPORT_PROBLEMS_SHOWN = 200

/** How many remarks of a list are named; further ones are counted. */
export const REMARKS_SHOWN = 200

/** How many notes on a list are shown: a PDF of each document may lack a font. */
export const IMPORT_NOTES_SHOWN = REMARKS_SHOWN + IMPORT_MAX_DOCUMENTS + 10

export const IMPORT_FACTS = {
  documents: IMPORT_MAX_DOCUMENTS,
  megabytes: inMegabytes(UPLOAD_MAX_BYTES.import),
  pdf: inMegabytes(UPLOAD_MAX_BYTES.document),
}

/**
 * The phases of an import: its list and files are being checked, are invalid, are valid and wait
 * for the start, are being written, are written; the import failed, or its teacher cancelled it.
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

export const IMPORT_STEPS = ['checking', 'storing', 'writing'] as const
export type ImportStep = (typeof IMPORT_STEPS)[number]

/** The problems of a list, a row of it, or a file that a row names. */
const LIST_PROBLEMS = [
  'list_too_large',
  'not_utf8',
  'spreadsheet',
  'not_readable',
  'not_json',
  'quote_not_closed',
  'quote_in_cell',
  'too_many_columns',
  'unknown_column',
  'missing_column',
  'repeated_column',
  'unnamed_column',
  'not_text',
  'no_rows',
  'too_many_rows',
  'required',
  'too_long',
  'not_listed',
  'ambiguous',
  'not_an_amount',
  'number_out_of_range',
  'third_decimal',
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
  'ambiguous_file',
  'bad_file',
  'not_pages',
  'unknown_page',
  'repeated_page',
  'too_many_pages',
] as const

/** The further problems of a list that a teacher uploads; `stopped_shop` is why an import failed. */
const UPLOADED_PROBLEMS = [
  'stopped_shop',
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

/**
 * Remarks about a list that is not wrong: lines above the columns' names and remarks between rows
 * that were not read, an encoding other than UTF-8, fonts that a file lacks,
 * a signature in it.
 */
export const IMPORT_NOTES = [
  'lines_above',
  'remark',
  'more_remarks',
  'read_as',
  'missing_fonts',
  'signed_file',
] as const
export type NoteCode = (typeof IMPORT_NOTES)[number]
