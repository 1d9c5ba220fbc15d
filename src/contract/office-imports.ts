import * as s from 'superstruct'
import { IMPORT_NOTES, IMPORT_PHASES, IMPORT_PROBLEMS, IMPORT_STEPS } from '../rules/imports.ts'
import { LANGUAGES } from '../rules/languages.ts'
import { defineCall } from './call.ts'
import { moment, nothing, uploadId } from './values.ts'

/** A problem of a row (numbered as in spreadsheets), or of the whole list. */
export const ImportProblem = s.type({
  row: s.nullable(s.number()),
  /** The column's name in the list. */
  column: s.nullable(s.string()),
  code: s.enums(IMPORT_PROBLEMS),
  /** The found value, the allowed values, or the error code of a file. */
  detail: s.string(),
})
export type ImportProblem = s.Infer<typeof ImportProblem>

/** Remarks about a list, a row or a file that is not wrong. */
export const ImportNote = s.type({
  row: s.nullable(s.number()),
  column: s.nullable(s.string()),
  code: s.enums(IMPORT_NOTES),
  /** The lines or the text that were not read, the encoding, or the fonts. */
  detail: s.string(),
})
export type ImportNote = s.Infer<typeof ImportNote>

/** An uploaded list of documents with its files. */
export const Import = s.type({
  id: uploadId(),
  /** The upload's file name. */
  name: s.string(),
  phase: s.enums(IMPORT_PHASES),
  /** The current step, with its progress in documents; null while the import waits for its turn. */
  step: s.nullable(s.enums(IMPORT_STEPS)),
  done: s.number(),
  total: s.number(),
  /** Whether it was restarted because the shop stopped half-way. */
  isBegunAnew: s.boolean(),
  /** The first problems, by row. */
  problems: s.array(ImportProblem),
  problemCount: s.number(),
  /** What was not read, and what may not show, by row. */
  notes: s.array(ImportNote),
  /** How many documents were created; while it is `ready`, how many will be. */
  created: s.number(),
  changed: s.number(),
  unchanged: s.number(),
  changedAt: moment(),
})
export type Import = s.Infer<typeof Import>

const byId = s.object({ id: uploadId() })

/** The account's last import; null if there is none. */
export const getImport = defineCall('GET /office/imports/last', 'teacher', {
  result: s.type({ last: s.nullable(Import) }),
})

/**
 * Checks the content of an uploaded ZIP in the background: its list and every file that the list
 * names. With `after`, the id of a refused import, the files of that import are used as well, so
 * that only corrected ones have to be sent again.
 */
export const beginImport = defineCall('POST /office/imports', 'teacher', {
  body: s.object({ uploadId: uploadId(), after: s.optional(uploadId()) }),
  result: Import,
  errors: [
    'upload_not_found',
    'upload_incomplete',
    'import_not_found',
    'account_not_approved',
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
  query: s.object({ locale: s.enums(LANGUAGES) }),
  answers: 'text',
  result: nothing(),
})
