import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'office-conversations:page',
  'office-conversations:open',
  'office-conversations:canned',
  'office-conversations:beside',
  'office-people:bought',
  'chat:page',
  'common:price',
  'office:table',
  'office:confirm',
  'errors:codes',
  'office-conversations:errors',
)
