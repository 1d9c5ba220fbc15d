import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'office-earnings:sales',
  'office:table',
  'errors:codes',
  'office-errors:codes',
)
