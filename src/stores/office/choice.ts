/**
 * A query parameter for a filter value from the URL; a value that is no valid choice is ignored.
 */
export function choiceOf<Name extends string, Choice extends string>(
  name: Name,
  value: unknown,
  choices: readonly Choice[],
): { [Key in Name]?: Choice } {
  const choice = choices.find((each) => each === value)
  return (choice ? { [name]: choice } : {}) as { [Key in Name]?: Choice }
}
