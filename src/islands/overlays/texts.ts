import { islandTexts } from '../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'cart:dialog',
  'cart:overlays.payment',
  'cart:overlays.walletIntro',
  'library:reading',
  'purchase:modal',
  'purchase:notice',
  'reader:dialog',
)
