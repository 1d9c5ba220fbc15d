import { islandTexts } from '../parts/island.tsx'

export const { island, useTexts } = islandTexts('wishlist:page', 'errors:codes')
