import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'office-money:wallet',
  'office-money:adjust',
  'office-money:adjustments',
  'office-money:common',
  'office-money:order',
  'office:table',
  'office:confirm',
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)
