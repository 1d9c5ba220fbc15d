import * as officeDocuments from '../../../contract/office-documents.ts'
import { OWN_DOCUMENT_SORTS } from '../../../contract/office-documents.ts'
import { DOCUMENT_STATES } from '../../../rules/document-life.ts'
import { ask } from '../backend.ts'
import { choiceOf, createTable } from '../table.ts'

export const documentsTable = createTable({
  what: 'own documents',
  sorts: ['-changed', ...OWN_DOCUMENT_SORTS.filter((sort) => sort !== '-changed')],
  filters: ['state'],
  load: ({ state, ...others }, signal) => {
    const query = { ...others, ...choiceOf('state', state, DOCUMENT_STATES) }
    return ask(officeDocuments.listOwnDocuments, { query }, { signal })
  },
})
