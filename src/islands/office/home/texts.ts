import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'office:home',
  'office-waiting:page',
  'office-notices:folder',
  'office-waiting:opening',
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)
