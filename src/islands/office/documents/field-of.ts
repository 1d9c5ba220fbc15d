import type { TextField } from '../../../stores/office/documents/text.ts'

/** What a field is given besides what it holds. */
export type FieldOf = (field: TextField) => {
  name: TextField
  defaultValue: string
  error: string | undefined
  hint?: string
}
