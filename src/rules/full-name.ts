/** A person's full name; '' if there is none. */
export function fullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`.trim()
}

/** A name for strangers: the first name and the initial of the last one, such as `Amal B.`. */
export function shortName({
  firstName,
  lastName,
}: {
  firstName: string
  lastName: string
}): string {
  const [initial] = lastName.trim()
  return initial ? `${firstName} ${initial}.` : firstName
}
