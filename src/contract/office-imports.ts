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
import { IMPORT_PHASES, IMPORT_PROBLEMS, IMPORT_STEPS } from '../rules/imports.ts'
import { LANGUAGES } from '../rules/languages.ts'
import { defineCall } from './call.ts'
import { uploadId } from './uploads.ts'
import { moment, nothing } from './values.ts'

/** Something wrong with a row, as a spreadsheet numbers it, or with the list as a whole. */
export const ImportProblem = type({
  row: nullable(number()),
  /** As the list names it. */
  column: nullable(string()),
  code: enums(IMPORT_PROBLEMS),
  /** What is there, what is allowed, or the code of what is wrong with a file. */
  detail: string(),
})
export type ImportProblem = Infer<typeof ImportProblem>

/** A list of documents that was uploaded with its files. */
export const Import = type({
  id: uploadId(),
  /** What the upload was called. */
  name: string(),
  phase: enums(IMPORT_PHASES),
  /** What is being done, and of how many documents; null while it waits for its turn. */
  step: nullable(enums(IMPORT_STEPS)),
  done: number(),
  total: number(),
  /** The shop stopped half-way, and it was begun anew. */
  isBegunAnew: boolean(),
  /** The first of them, by row. */
  problems: array(ImportProblem),
  problemCount: number(),
  /** Documents; what will be, while it is `ready`. */
  created: number(),
  changed: number(),
  unchanged: number(),
  changedAt: moment(),
})
export type Import = Infer<typeof Import>

const byId = object({ id: uploadId() })

/** The account's last import; null where there is none. */
export const getImport = defineCall({
  method: 'GET',
  path: '/office/imports/last',
  caller: 'teacher',
  result: type({ last: nullable(Import) }),
})

/**
 * Has a checked ZIP looked at in the background: its list and every file that the list names. With
 * `after`, the id of an import that was refused, its files are used as well, so that only what was
 * mended is sent again.
 */
export const beginImport = defineCall({
  method: 'POST',
  path: '/office/imports',
  caller: 'teacher',
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

/** Puts the documents of a list that is right into the shop, in the background: all, or none. */
export const startImport = defineCall({
  method: 'POST',
  path: '/office/imports/:id/start',
  caller: 'teacher',
  params: byId,
  result: Import,
  errors: ['import_not_found', 'import_state_changed'],
})

/** Gives an import up that is not done yet; nothing of it is in the shop. */
export const cancelImport = defineCall({
  method: 'DELETE',
  path: '/office/imports/:id',
  caller: 'teacher',
  params: byId,
  result: nothing(),
  errors: ['import_not_found', 'import_state_changed'],
})

/** A list to begin with, as CSV with comments in a language and one example. */
export const getImportTemplate = defineCall({
  method: 'GET',
  path: '/office/imports/template',
  caller: 'teacher',
  query: object({ locale: enums(LANGUAGES) }),
  answers: 'text',
  result: nothing(),
})
