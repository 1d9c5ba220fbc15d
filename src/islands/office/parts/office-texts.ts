import type { TextGroup } from '../../../i18n/texts.ts'
import { islandTexts } from '../../parts/island.tsx'

/** `islandTexts` with the texts of the errors that any call of the office can return. */
export const officeTexts = <const Groups extends readonly TextGroup[]>(...needs: Groups) =>
  islandTexts(...needs, 'errors:codes', 'office-errors:codes')

/** `officeTexts` with those of the calls that only administrators may use. */
export const adminTexts = <const Groups extends readonly TextGroup[]>(...needs: Groups) =>
  officeTexts(...needs, 'office-admin-errors:codes')
