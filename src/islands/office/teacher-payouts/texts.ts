import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'office-money:payouts',
  'office-money:common',
  'office:table',
  'office:confirm',
  'office-notices:folder',
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)
