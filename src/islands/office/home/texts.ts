import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'office:home',
  'office-waiting:page',
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)
