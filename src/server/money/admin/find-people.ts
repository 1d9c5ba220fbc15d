import { type RawBuilder, sql } from 'kysely'
import { foldQuery } from '../../../rules/search-fold.ts'

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

/** Selects the ids of those whose name, e-mail and phone have words that begin with all of these. */
export function idsOfPeople(words: readonly string[]): RawBuilder<unknown> {
  const folded = foldQuery(words.join(' '))
  if (folded.length === 0) return sql`SELECT id FROM users WHERE false`
  const found = folded.map((word) => sql`search_text LIKE ${`% ${word}%`}`)
  const parts = words.map((word) => {
    // What is typed is text, not a pattern.
    const part = `%${word.replace(/[\\%_]/g, '\\$&')}%`
    return sql`first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(phone, '')
      ILIKE ${part}`
  })
  return sql`SELECT id FROM users WHERE ${sql.join(found, sql` AND `)}
    UNION ALL
    -- Those that are new have not been folded yet.
    SELECT id FROM users WHERE search_text IS NULL AND ${sql.join(parts, sql` AND `)}`
}
