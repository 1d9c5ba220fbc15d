import type { ProfileField } from '../../../stores/office/profile/text.ts'

/** What a field is given besides what it holds. */
export type FieldOf = (field: ProfileField) => {
  name: ProfileField
  defaultValue: string
  error: string | undefined
}
