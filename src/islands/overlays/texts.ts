import { islandTexts } from '../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'cart:overlays',
  'library:reading',
  'purchase:modal',
  'reader:dialog',
)
