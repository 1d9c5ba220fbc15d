import { adminTexts } from '../parts/office-texts.ts'

/** The texts of the list of all documents and of its bulk changes. */
export const { island, useTexts } = adminTexts(
  'office-goods:documents',
  'office-goods:change',
  'office-goods:changes',
  'office-goods:reason',
  'office-documents:states',
  'catalogue:levels',
  'common:price',
  'office:table',
  'office:confirm',
)
