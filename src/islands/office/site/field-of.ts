/** The props of a field of a form, by its name. */
export type FieldOf = (field: string) => {
  name: string
  defaultValue: string | undefined
  error: string | undefined
}
