import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'office:home',
  'errors:codes',
  'office-errors:codes',
)
