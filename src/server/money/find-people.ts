import { type RawBuilder, sql } from 'kysely'
import { isMeantBy } from '../people-search/people-search.ts'

/** The columns of a person as administrators see them, from `users` under the alias `u`. */
export const PERSON_COLUMNS = sql`u.id AS user_id, u.first_name, u.last_name, u.email, u.phone`

export interface PersonRow {
  readonly userId: number
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly phone: string | null
}

export function presentPerson({ userId, firstName, lastName, email, phone }: PersonRow) {
  return { id: userId, name: `${firstName} ${lastName}`.trim() || email, email, phone }
}

/** Selects the ids of the people whom a text may mean; the caller has awaited `foldPeople`. */
export function idsOfPeople(q: string): RawBuilder<unknown> {
  return sql`SELECT id FROM users WHERE ${isMeantBy(q)}`
}
