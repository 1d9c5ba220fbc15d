import type { ProfileField } from '../../../stores/office/profile/text.ts'

/** Returns the props of a form field. */
export type FieldOf = (field: ProfileField) => {
  name: ProfileField
  defaultValue: string
  error: string | undefined
}
