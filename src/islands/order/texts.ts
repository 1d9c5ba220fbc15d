import { islandTexts } from '../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'order:page',
  'order:waiting',
  'common:methods',
  'errors:codes',
)
