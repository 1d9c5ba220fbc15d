import { array, enums, type Infer, number, object, optional, size, string, type } from 'superstruct'
import { ARCHIVE_CHOSEN_MAX } from '../rules/archive.ts'
import { LANGUAGES } from '../rules/languages.ts'
import { defineCall } from './call.ts'
import { id, moment } from './values.ts'

/** Where a browser gets a ZIP of bought documents, by navigating there. */
export const ArchiveLink = type({
  /** A path of this site, without the log-in: the token in it stands for it. */
  path: string(),
  expiresAt: moment(),
  /** How many documents it holds, and how many bytes they have; the ZIP has a few more. */
  documents: number(),
  bytes: number(),
})
export type ArchiveLink = Infer<typeof ArchiveLink>

/**
 * A link, good for 10 minutes, to a ZIP of all that the customer bought, or of the chosen documents.
 * `document_not_found`: nothing was bought, or one of the chosen was not. `locale` is for what the ZIP
 * itself says, such as which file is missing.
 */
export const zipLink = defineCall({
  method: 'POST',
  path: '/library/archive',
  caller: 'user',
  body: object({
    locale: enums(LANGUAGES),
    documentIds: optional(size(array(id()), 1, ARCHIVE_CHOSEN_MAX)),
  }),
  result: ArchiveLink,
  errors: ['document_not_found'],
})
