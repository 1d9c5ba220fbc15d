import {
  array,
  boolean,
  enums,
  type Infer,
  nullable,
  number,
  object,
  optional,
  string,
  type,
} from 'superstruct'
import { IMPORT_NOTES, IMPORT_PHASES, IMPORT_PROBLEMS, IMPORT_STEPS } from '../rules/imports.ts'
import { LANGUAGES } from '../rules/languages.ts'
import { defineCall } from './call.ts'
import { uploadId } from './uploads.ts'
import { moment, nothing } from './values.ts'

/** A problem of a row (numbered as in spreadsheets), or of the whole list. */
export const ImportProblem = type({
  row: nullable(number()),
  /** The column's name in the list. */
  column: nullable(string()),
  code: enums(IMPORT_PROBLEMS),
  /** The found value, the allowed values, or the error code of a file. */
  detail: string(),
})
export type ImportProblem = Infer<typeof ImportProblem>

/** What is said of a list, a row or a file that is not wrong. */
export const ImportNote = type({
  row: nullable(number()),
  column: nullable(string()),
  code: enums(IMPORT_NOTES),
  /** The lines or the text that were not read, the encoding, or the fonts. */
  detail: string(),
})
export type ImportNote = Infer<typeof ImportNote>

/** An uploaded list of documents with its files. */
export const Import = type({
  id: uploadId(),
  /** The upload's file name. */
  name: string(),
  phase: enums(IMPORT_PHASES),
  /** The current step, with its progress in documents; null while the import waits for its turn. */
  step: nullable(enums(IMPORT_STEPS)),
  done: number(),
  total: number(),
  /** Whether it was restarted because the shop stopped half-way. */
  isBegunAnew: boolean(),
  /** The first problems, by row. */
  problems: array(ImportProblem),
  problemCount: number(),
  /** What was not read, and what may not show, by row. */
  notes: array(ImportNote),
  /** How many documents were created; while it is `ready`, how many will be. */
  created: number(),
  changed: number(),
  unchanged: number(),
  changedAt: moment(),
})
export type Import = Infer<typeof Import>

const byId = object({ id: uploadId() })

/** The account's last import; null if there is none. */
export const getImport = defineCall('GET /office/imports/last', 'teacher', {
  result: type({ last: nullable(Import) }),
})

/**
 * Checks the content of an uploaded ZIP in the background: its list and every file that the list
 * names. With `after`, the id of a refused import, the files of that import are used as well, so
 * that only corrected ones have to be sent again.
 */
export const beginImport = defineCall('POST /office/imports', 'teacher', {
  body: object({ uploadId: uploadId(), after: optional(uploadId()) }),
  result: Import,
  errors: [
    'upload_not_found',
    'upload_incomplete',
    'import_not_found',
    'import_open',
    'too_many_imports',
  ],
})

/** Writes the documents of a valid list in the background: either all of them or none. */
export const startImport = defineCall('POST /office/imports/:id/start', 'teacher', {
  params: byId,
  result: Import,
  errors: ['import_not_found', 'import_state_changed'],
})

/** Cancels an unfinished import; none of its documents is written. */
export const cancelImport = defineCall('DELETE /office/imports/:id', 'teacher', {
  params: byId,
  result: nothing(),
  errors: ['import_not_found', 'import_state_changed'],
})

/** A template for a list, as CSV with comments in a language and one example. */
export const getImportTemplate = defineCall('GET /office/imports/template', 'teacher', {
  query: object({ locale: enums(LANGUAGES) }),
  answers: 'text',
  result: nothing(),
})
