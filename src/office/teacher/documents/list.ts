import * as officeDocuments from '../../../contract/office-documents.ts'
import { OWN_DOCUMENT_SORTS } from '../../../contract/office-documents.ts'
import { DOCUMENT_STATES } from '../../../rules/document-life.ts'
import { tableOf } from '../../kit/tables/table.ts'

export const documentsTable = tableOf(officeDocuments.listOwnDocuments, {
  sorts: ['-changed', ...OWN_DOCUMENT_SORTS.filter((sort) => sort !== '-changed')],
  choices: { state: DOCUMENT_STATES },
})
