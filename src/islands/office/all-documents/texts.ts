import { islandTexts } from '../../parts/island.tsx'

/** The texts of the list of all documents and of its bulk changes. */
export const { island, useTexts } = islandTexts(
  'office-goods:documents',
  'office-goods:change',
  'office-goods:changes',
  'office-goods:reason',
  'office-documents:states',
  'catalogue:levels',
  'common:price',
  'office:table',
  'office:confirm',
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)
