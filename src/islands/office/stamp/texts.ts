import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'office-stamp:stamp',
  'office:confirm',
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)
