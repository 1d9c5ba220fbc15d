import { islandTexts } from '../parts/island.tsx'

export const { island, useTexts } = islandTexts(
  'reader:page',
  'reader:view',
  'reader:find',
  'reader:contents',
  'reader:print',
  'reader:elsewhere',
  'reader:exam',
  'reader:problems',
  'reader:actions',
  'downloads:states',
  'library:reading',
  'offline:keep',
)
