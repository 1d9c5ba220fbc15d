import type { OwnDocument } from '../../../contract/own-document.ts'
import { ask } from '../backend.ts'

/** What a teacher does with a document as a whole. */
export type DocumentAct = 'submit' | 'withdraw' | 'publish' | 'unpublish' | 'delete'

type Acted = Pick<OwnDocument, 'state' | 'waitingVersion' | 'isTakenDown' | 'firstPublishedAt'>

/** What can be done with a document in its state, the likeliest first. */
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

/** Does it; returns the document as it is then, null where it is deleted. `reason` goes with `unpublish`. */
export async function act(
  { id }: Pick<OwnDocument, 'id'>,
  what: DocumentAct,
  reason: string,
): Promise<OwnDocument | null> {
  const input = { params: { id } }
  switch (what) {
    case 'submit':
      return ask(({ officeDocuments }) => officeDocuments.submitOwnDocument, input)
    case 'withdraw':
      return ask(({ officeDocuments }) => officeDocuments.withdrawOwnDocument, input)
    case 'publish':
      return ask(({ officeDocuments }) => officeDocuments.publishOwnDocument, input)
    case 'unpublish':
      return ask(({ officeDocuments }) => officeDocuments.unpublishOwnDocument, {
        ...input,
        body: { reason: reason.trim() || null },
      })
    case 'delete':
      await ask(({ officeDocuments }) => officeDocuments.deleteOwnDocument, input)
      return null
  }
}
