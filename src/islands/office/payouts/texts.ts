import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'office-earnings:payouts',
  'office-earnings:account',
  'office:table',
  'office:form',
  'office:confirm',
  'errors:codes',
  'office-errors:codes',
)
