import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'office:home',
  'office-waiting:page',
  'office-waiting:opening',
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)
