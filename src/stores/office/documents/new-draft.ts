import { ask } from '../backend.ts'
import { forgetKept, keep, kept } from '../kept.ts'

const KEEP_AS = 'new document'

/**
 * Begins an empty draft and returns its id. The key is kept until the answer is there, so that a
 * reload, or a second try after a cut line, begins no second one.
 */
export async function beginDraft(): Promise<number> {
  const before = kept(KEEP_AS)
  const idempotencyKey = typeof before === 'string' ? before : crypto.randomUUID()
  keep(KEEP_AS, idempotencyKey)
  const draft = await ask(
    ({ officeDocuments }) => officeDocuments.createOwnDocument,
    {},
    { idempotencyKey },
  )
  forgetKept(KEEP_AS)
  return draft.id
}
