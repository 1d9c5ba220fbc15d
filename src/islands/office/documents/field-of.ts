import type { TextField } from '../../../stores/office/documents/text.ts'

/** The props of a field of the form. */
export type FieldOf = (field: TextField) => {
  name: TextField
  defaultValue: string
  error: string | undefined
  hint?: string
}
