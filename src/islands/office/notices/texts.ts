import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'office-notices:page',
  'office-notices:folder',
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)
