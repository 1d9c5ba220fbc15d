import { islandTexts } from '../../islands/parts/island.tsx'

export const { island, needs, useTexts } = islandTexts(
  'account:register',
  'password:strength',
  'charging:page',
  'charging:providers',
  'library:page',
  'library:reading',
  'library:shelves',
  'downloads:states',
  'catalogue:matieres',
  'catalogue:niveaux',
  'catalogue:categories',
  'order:page',
  'chat:page',
  'ratings:form',
  'errors:open',
  'errors:codes',
  'offline:keep',
  'versions:library',
)
