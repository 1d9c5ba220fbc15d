import type { Result } from '../../../contract/call.ts'
import * as officeDocuments from '../../../contract/office-documents.ts'
import { type listOwnDocuments, OWN_DOCUMENT_SORTS } from '../../../contract/office-documents.ts'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { DOCUMENT_STATES } from '../../../rules/document-life.ts'
import { ask } from '../backend.ts'
import { choiceOf, createTable } from '../table.ts'

type Page = Result<typeof listOwnDocuments>

/** The teacher's own documents, the most recently changed first. */
export const documentsTable = createTable<OwnDocument, (typeof OWN_DOCUMENT_SORTS)[number], Page>({
  what: 'own documents',
  sorts: ['-changed', ...OWN_DOCUMENT_SORTS.filter((sort) => sort !== '-changed')],
  filters: ['state'],
  load: ({ state, ...others }, signal) => {
    const query = { ...others, ...choiceOf('state', state, DOCUMENT_STATES) }
    return ask(officeDocuments.listOwnDocuments, { query }, { signal })
  },
})
