import * as s from 'superstruct'
import { ARCHIVE_CHOSEN_MAX } from '../rules/downloads.ts'
import { LANGUAGES } from '../rules/languages.ts'
import { defineCall } from './call.ts'
import { id, moment } from './values.ts'

/** Where the browser navigates to download a ZIP of bought documents. */
export const ArchiveLink = s.type({
  /** A path of this site; it needs no log-in, because it contains a token. */
  path: s.string(),
  expiresAt: moment(),
  /** How many documents the ZIP contains, and their size in bytes; the ZIP is slightly larger. */
  documents: s.number(),
  bytes: s.number(),
})
export type ArchiveLink = s.Infer<typeof ArchiveLink>

/**
 * A link, valid for some minutes, to a ZIP of all documents that the customer bought, or of the
 * chosen ones. `document_not_found`: nothing was bought, or a chosen document was not. `locale` is
 * the language of texts in the ZIP, such as which file is missing.
 */
export const zipLink = defineCall('POST /library/archive', 'user', {
  feature: 'archive',
  body: s.object({
    locale: s.enums(LANGUAGES),
    documentIds: s.optional(s.size(s.array(id()), 1, ARCHIVE_CHOSEN_MAX)),
  }),
  result: ArchiveLink,
  errors: ['document_not_found'],
})
