import { islandTexts } from '../../parts/island.tsx'

/** The texts of the page of one account. */
export const { island, useTexts } = islandTexts(
  'office-people:person',
  'office-people:bought',
  'office-people:roles',
  'office-people:states',
  'office-people:invite',
  'office-log:actions',
  'office-log:subjects',
  'office:confirm',
  'common:price',
  'office-notices:folder',
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)
