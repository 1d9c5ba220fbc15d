import type { Kysely } from 'kysely'
import { nameOrContact } from '../../rules/full-name.ts'
import type { Schema } from '../database/schema.ts'
import { foldPeople, isMeantBy } from '../people-search/people-search.ts'

/** The columns of a person as administrators see them. */
export const PERSON_COLUMNS = [
  'users.id as userId',
  'users.firstName',
  'users.lastName',
  'users.email',
  'users.phone',
] as const

interface PersonRow {
  readonly userId: number
  readonly firstName: string
  readonly lastName: string
  readonly email: string | null
  readonly phone: string | null
}

export function presentPerson({ userId, ...person }: PersonRow) {
  const { email, phone } = person
  return { id: userId, name: nameOrContact(person), email, phone }
}

/** Selects the ids of the people whom a text may mean. */
export async function idsOfPeople(kysely: Kysely<Schema>, q: string) {
  await foldPeople({ kysely })
  return kysely.selectFrom('users').select('users.id').where(isMeantBy(q))
}
