/** A person's full name; '' if there is none. */
export function fullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`.trim()
}

/** The full name of an account, else what it logs in with; '' for one that has neither. */
export function nameOrContact(account: {
  firstName: string
  lastName: string
  email: string | null
  phone: string | null
}): string {
  return fullName(account) || account.email || account.phone || ''
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
