/** A filter of an address as a call takes it; what is none of the choices is no filter. */
export function choiceOf<Name extends string, Choice extends string>(
  name: Name,
  value: unknown,
  choices: readonly Choice[],
): { [Key in Name]?: Choice } {
  const choice = choices.find((each) => each === value)
  return (choice ? { [name]: choice } : {}) as { [Key in Name]?: Choice }
}
