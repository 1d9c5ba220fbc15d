import { islandTexts } from '../../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'office-review:page',
  'office-review:pages',
  'office-documents:fields',
  'office-documents:details',
  'office-documents:amounts',
  'office-documents:preview',
  'common:price',
  'common:card',
  'common:rating',
  'catalogue:matieres',
  'catalogue:niveaux',
  'catalogue:categories',
  'catalogue:types',
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)
