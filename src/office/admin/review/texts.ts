import { adminTexts } from '../../kit/office-texts.ts'

export const { island, useTexts } = adminTexts(
  'office-review:page',
  'office-review:pages',
  'office-review:alike',
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
)
