import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'office-ratings:ratings',
  'office:table',
  'office:form',
  'office:confirm',
  'errors:codes',
  'office-errors:codes',
)
