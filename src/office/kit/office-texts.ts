import type { TextGroup } from '../../i18n/texts.ts'
import { islandTexts, useTextsIfGiven } from '../../islands/parts/island.tsx'
import { actorText } from '../../rules/office-actions.ts'

/** `islandTexts` with the texts of every page of the office: errors, and the one actor without a name. */
export const officeTexts = <const Groups extends readonly TextGroup[]>(...needs: Groups) =>
  islandTexts(...needs, 'office:actor', 'errors:codes', 'office-errors:codes')

/** `officeTexts` with those of the calls that only administrators may use. */
export const adminTexts = <const Groups extends readonly TextGroup[]>(...needs: Groups) =>
  officeTexts(...needs, 'office-admin-errors:codes')

/** Returns a function that names who did something: staff by their names, the command line in words. */
export function useActorName(): (by: string) => string {
  const texts = useTextsIfGiven('office:actor')
  return (by) => (texts ? actorText(by, texts) : by)
}
