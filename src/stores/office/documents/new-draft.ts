import * as officeDocuments from '../../../contract/office-documents.ts'
import { ask } from '../backend.ts'
import { forgetKept, keep, kept } from '../kept.ts'

const KEEP_AS = 'new document'

/** A draft's id; its key is kept until the answer, so that no retry creates a second. */
export async function beginDraft(): Promise<number> {
  const before = kept(KEEP_AS)
  const idempotencyKey = typeof before === 'string' ? before : crypto.randomUUID()
  keep(KEEP_AS, idempotencyKey)
  const draft = await ask(officeDocuments.createOwnDocument, {}, { idempotencyKey })
  forgetKept(KEEP_AS)
  return draft.id
}
