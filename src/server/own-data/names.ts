import { sql } from 'kysely'
import { fullName } from '../../rules/full-name.ts'
import type { Tx } from '../database/transaction.ts'
import type { Names } from './tables.ts'

/**
 * How the tables name a person: the account, those merged into it, and its teacher. Locks the
 * accounts.
 */
export async function namesOf(tx: Tx, userId: number): Promise<Names> {
  const { rows: users } = await sql<{
    id: number
    email: string | null
    phone: string | null
    username: string
    firstName: string
    lastName: string
  }>`
    WITH RECURSIVE person (id) AS (
      SELECT ${userId}::integer
      UNION SELECT merged.id FROM users merged JOIN person ON merged.merged_into = person.id
    )
    SELECT id, email, phone, username, first_name, last_name FROM users
    WHERE id IN (SELECT id FROM person) ORDER BY id FOR UPDATE`.execute(tx)
  const ids = users.map(({ id }) => id)
  const teachers = await tx
    .selectFrom('teachers')
    .select(['id', 'email', 'firstName', 'lastName', 'latinName'])
    .where('userId', 'in', ids)
    .execute()
  const people = [...users, ...teachers]
  const present = (texts: (string | null)[]) => [...new Set(texts.flatMap((text) => text || []))]
  return {
    users: ids,
    teachers: teachers.map(({ id }) => id),
    emails: present(people.map(({ email }) => email?.toLowerCase() ?? null)),
    phones: present(users.map(({ phone }) => phone)),
    called: present([
      ...people.map(fullName),
      ...teachers.map(({ latinName }) => latinName),
      ...users.map(({ username }) => username),
      ...people.flatMap(({ firstName, lastName }) => [firstName, lastName]),
    ]),
  }
}
