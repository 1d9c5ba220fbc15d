/** Where teachers sign up: the staff office at `officeUrl`, another site. */
export function officeSignUp(officeUrl: string): string {
  return `${officeUrl}/register`
}

/** Where staff sign in. */
export function officeLogIn(officeUrl: string): string {
  return new URL('/login', officeUrl).href
}

/** A `tel:` address from a number as it is written. */
export function phoneHref(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, '')}`
}
