import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'office-earnings:earnings',
  'office:table',
  'office:chart',
  'errors:codes',
  'office-errors:codes',
)
