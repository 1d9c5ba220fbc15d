import * as officeDocuments from '../../../contract/office-documents.ts'
import type { OwnDocument } from '../../../contract/own-document.ts'
import type { DocumentAct } from '../../../rules/document-life.ts'
import { ask } from '../../kit/backend.ts'

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
