import { islandTexts } from '../parts/island.tsx'

export const { island, useTexts } = islandTexts('ratings:form')
