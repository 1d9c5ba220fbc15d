import type { DocumentField } from '../../../rules/document-fields.ts'

/** The subject of a reason: a field, or the whole document. */
export type Subject = DocumentField | 'whole'
