import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'office-ratings:questions',
  'office:table',
  'errors:codes',
  'office-errors:codes',
)
