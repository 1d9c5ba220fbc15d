import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts, needs } = islandTexts(
  'office-interface-texts:page',
  'office-site:mistakes',
  'office-site:conflict',
  'office-site:history',
  'office:table',
  'office:form',
  'office:confirm',
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)
