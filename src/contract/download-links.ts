import * as s from 'superstruct'
import { ARCHIVE_CHOSEN_MAX } from '../rules/downloads.ts'
import { LANGUAGES } from '../rules/languages.ts'
import { defineCall } from './call.ts'
import { byId, id, moment, whole } from './values.ts'

const link = {
  /** A path of this site; it needs no log-in, because it contains a token. */
  path: s.string(),
  /** Until when a download may begin. */
  expiresAt: moment(),
}

/** Where the browser downloads a bought file. */
export const FileLink = s.type(link)
export type FileLink = s.Infer<typeof FileLink>

/**
 * A link, valid for some minutes, to a bought file; `version`: an earlier one, while it is offered.
 * A download that has begun can be resumed at the same address for a day, by a `Range` with the
 * file's ETag in `If-Range` or `If-Match`. `locale` is the language of a refusal at that address. The
 * newest version then counts as seen. `unavailable`: the file is being prepared, ask again.
 */
export const fileLink = defineCall('POST /library/documents/:id/link', 'user', {
  feature: 'downloads',
  params: byId,
  body: s.object({ locale: s.enums(LANGUAGES), version: s.optional(whole(1, 100_000)) }),
  result: FileLink,
  errors: ['not_permitted', 'document_not_found', 'file_missing', 'version_not_offered'],
})

/** Where the browser navigates to download a ZIP of bought documents. */
export const ArchiveLink = s.type({
  ...link,
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
