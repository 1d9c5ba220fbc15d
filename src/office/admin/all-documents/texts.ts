import { adminTexts } from '../../kit/office-texts.ts'

export const { island, useTexts } = adminTexts(
  'office-goods:documents',
  'office-goods:change',
  'office-goods:changes',
  'office-documents:states',
  'catalogue:levels',
  'common:price',
  'office:table',
  'office:confirm',
)
