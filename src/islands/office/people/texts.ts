import { islandTexts } from '../../parts/island.tsx'

/** What the page of one account says. */
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
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)
