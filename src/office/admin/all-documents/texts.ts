import { adminTexts } from '../../kit/office-texts.ts'

export const { island, useTexts } = adminTexts(
  'office-goods:documents',
  'office-goods:change',
  'office-goods:changes',
  'office-documents:states',
  'office-documents:details',
  'office-documents:fields',
  'catalogue:levels',
  'common:price',
  'office:table',
  'office:confirm',
)
