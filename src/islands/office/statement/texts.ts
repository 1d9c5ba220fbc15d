import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'office-earnings:statement',
  'errors:codes',
  'office-errors:codes',
)
