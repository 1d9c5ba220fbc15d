import * as officeDocuments from '../../../contract/office-documents.ts'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { ask } from '../backend.ts'

export type DocumentAct = 'submit' | 'withdraw' | 'publish' | 'unpublish' | 'delete'

type ActedDocument = Pick<
  OwnDocument,
  'state' | 'waitingVersion' | 'isTakenDown' | 'firstPublishedAt'
>

/** The actions that a document's state allows, the most likely first. */
export function actsFor(document: ActedDocument): DocumentAct[] {
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

/** Performs an action; returns the changed document, or null after `delete`. */
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
