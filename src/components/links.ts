import { SITE } from '../site.ts'

/** Where teachers sign up: the staff office, another site. */
export function officeSignUp(): string {
  return `${officeOrigin()}/register`
}

/** Where staff sign in. */
export function officeLogIn(): string {
  return new URL('/login', officeOrigin()).href
}

function officeOrigin(): string {
  const given = import.meta.env.SSR ? process.env.OFFICE_URL : undefined
  return (given || SITE.officeUrl).replace(/\/$/, '')
}

/** A `tel:` address from a number as it is written. */
export function phoneHref(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, '')}`
}
