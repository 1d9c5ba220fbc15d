import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'office-figures:figures',
  'office:chart',
  'errors:codes',
  'office-errors:codes',
)
