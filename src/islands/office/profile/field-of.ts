import type { ProfileField } from '../../../stores/office/profile/text.ts'

/** The props of a field of the form. */
export type FieldOf = (field: ProfileField) => {
  name: ProfileField
  defaultValue: string
  error: string | undefined
}
