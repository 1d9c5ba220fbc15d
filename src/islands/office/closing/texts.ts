import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'office-money:closing',
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)
