import { type RawBuilder, sql } from 'kysely'
import { isMeantBy } from '../../people-search/people-search.ts'

/** The columns of somebody as administrators see them, of a `users` that is called `u`. */
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

/** Selects the ids of those whom a text means; `foldPeople` has been called. */
export function idsOfPeople(q: string): RawBuilder<unknown> {
  return sql`SELECT id FROM users WHERE ${isMeantBy(q)}`
}
