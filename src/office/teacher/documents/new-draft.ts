import * as officeDocuments from '../../../contract/office-documents.ts'
import { ask } from '../../kit/backend.ts'
import { forgetKept, keep, kept } from '../../kit/kept.ts'

const KEEP_AS = 'new document'

/**
 * Creates an empty draft and returns its id. The idempotency key is kept until the response
 * arrives, so that a reload, or a retry after a lost connection, creates no second draft.
 */
export async function beginDraft(): Promise<number> {
  const before = kept(KEEP_AS)
  const idempotencyKey = typeof before === 'string' ? before : crypto.randomUUID()
  keep(KEEP_AS, idempotencyKey)
  const draft = await ask(officeDocuments.createOwnDocument, {}, { idempotencyKey })
  forgetKept(KEEP_AS)
  return draft.id
}
