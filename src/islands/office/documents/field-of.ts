import type { TextField } from '../../../stores/office/documents/text.ts'

/** Returns the props of a form field. */
export type FieldOf = (field: TextField) => {
  name: TextField
  defaultValue: string
  error: string | undefined
  hint?: string
}
