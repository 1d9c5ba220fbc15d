import type { DocumentField } from '../../../rules/document-life.ts'

/** The subject of a reason: a field, or the whole document. */
export type Subject = DocumentField | 'whole'
