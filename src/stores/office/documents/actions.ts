import * as officeDocuments from '../../../contract/office-documents.ts'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { ask } from '../backend.ts'

/** What a teacher can do with a whole document. */
export type DocumentAct = 'submit' | 'withdraw' | 'publish' | 'unpublish' | 'delete'

type Acted = Pick<OwnDocument, 'state' | 'waitingVersion' | 'isTakenDown' | 'firstPublishedAt'>

/** What a teacher can do with a document in its state, the most likely first. */
export function actsFor(document: Acted): DocumentAct[] {
  const { state, waitingVersion, isTakenDown, firstPublishedAt } = document
  switch (state) {
    case 'submitted':
      return ['withdraw']
    case 'published':
      return waitingVersion === null ? ['unpublish'] : ['withdraw', 'unpublish']
    case 'unpublished':
      return [isTakenDown ? 'submit' : 'publish', ...(waitingVersion ? ['withdraw' as const] : [])]
    default:
      return firstPublishedAt === null ? ['submit', 'delete'] : ['submit']
  }
}

/** Performs it; returns the changed document, or null once it is deleted. `reason` is for `unpublish`. */
export async function act(
  { id }: Pick<OwnDocument, 'id'>,
  what: DocumentAct,
  reason: string,
): Promise<OwnDocument | null> {
  const input = { params: { id } }
  switch (what) {
    case 'submit':
      return ask(officeDocuments.submitOwnDocument, input)
    case 'withdraw':
      return ask(officeDocuments.withdrawOwnDocument, input)
    case 'publish':
      return ask(officeDocuments.publishOwnDocument, input)
    case 'unpublish':
      return ask(officeDocuments.unpublishOwnDocument, {
        ...input,
        body: { reason: reason.trim() || null },
      })
    case 'delete':
      await ask(officeDocuments.deleteOwnDocument, input)
      return null
  }
}
