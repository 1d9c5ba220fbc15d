/** Returns the props of a form field by its name. */
export type FieldOf = (field: string) => {
  name: string
  defaultValue: string | undefined
  error: string | undefined
}
