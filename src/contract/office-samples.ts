import * as s from 'superstruct'
import { SAMPLE_PAGES_MAX } from '../rules/reading.ts'
import { FILE_MAX_PAGES } from '../rules/uploads.ts'
import { defineCall } from './call.ts'
import { OwnDocument } from './own-document.ts'
import { byId, whole } from './values.ts'

/**
 * Sets the pages of a document (from 1) that everyone may view; null: the first ones. At most a
 * third of the file's pages, each once; otherwise 409 `sample_not_possible`.
 */
export const setSamplePages = defineCall('PUT /office/documents/:id/sample', 'teacher', {
  params: byId,
  body: s.object({
    pages: s.nullable(s.size(s.array(whole(1, FILE_MAX_PAGES)), 1, SAMPLE_PAGES_MAX)),
  }),
  result: OwnDocument,
  errors: ['document_not_found', 'document_under_review', 'sample_not_possible'],
})
