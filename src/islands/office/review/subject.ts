import type { DocumentField } from '../../../rules/document-life.ts'

/** What a reason is about: a field, or the document as a whole. */
export type Subject = DocumentField | 'whole'
