import { sql } from 'kysely'
import { plainSigns } from '../../rules/pasted-text.ts'
import { foldQuery, foldWords } from '../../rules/search-fold.ts'
import { normalisePhone } from '../../rules/typed-numbers.ts'
import type { Database } from '../database/pool.ts'
import { transaction } from '../database/transaction.ts'

/** How many accounts one transaction folds. */
export const FOLDED_AT_ONCE = 2000

/**
 * Writes the search texts of all accounts that were added or renamed. A job does this for what a
 * search leaves out.
 */
export async function foldAllPeople(database: Pick<Database, 'kysely'>): Promise<void> {
  while ((await foldPeople(database)) === FOLDED_AT_ONCE);
}

/**
 * Writes the search texts of the accounts that were added or renamed since the last search, so that
 * registering and importing need not know of the office's search: of a limited number, since after
 * a restore or an import a search would wait for minutes. Returns how many there were.
 */
export function foldPeople(database: Pick<Database, 'kysely'>): Promise<number> {
  return transaction(database, async (tx) => {
    // Locked: a name changed at the same time is either read here, or resets the search text.
    const people = await tx
      .selectFrom('users')
      .leftJoin('teachers', 'teachers.userId', 'users.id')
      .select(['users.id', 'users.email', 'users.phone', 'users.username'])
      .select(['users.firstName', 'users.lastName', 'teachers.latinName'])
      .select(['teachers.firstName as shownFirstName', 'teachers.lastName as shownLastName'])
      .where('users.searchText', 'is', null)
      .orderBy('users.id')
      .limit(FOLDED_AT_ONCE)
      .forNoKeyUpdate('users')
      .execute()
    const texts = people.map(({ id: _, ...fields }) => {
      const words = Object.values(fields).flatMap((text) => foldWords(text ?? ''))
      // The spaces let `% wor%` find the first word too, and `% word %` the last.
      return ` ${[...new Set(words)].join(' ')} `
    })
    await sql`
      UPDATE users SET search_text = found.text
      FROM unnest(${people.map(({ id }) => id)}::integer[], ${texts}::text[]) AS found (id, text)
      WHERE users.id = found.id`.execute(tx)
    return people.length
  })
}

/** The index of phone numbers finds no part shorter than this, and one means nobody. */
const PHONE_PART_MIN = 3

/**
 * A condition on `users`: whether a text may refer to the account. The text may be the beginnings
 * of words of a name in Arabic or Latin letters, a part of an e-mail address or phone number, or an
 * id.
 */
export function isMeantBy(q: string) {
  const typed = plainSigns(q)
  const [, id] = /^#\s*(\d{1,9})$/.exec(typed) ?? []
  if (id) return sql<boolean>`users.id = ${Number(id)}`
  const digits =
    normalisePhone(q) ?? typed.replace(/[ ()/.-]/g, '').replace(/^(?:\+|00)216(?=\d)/, '')
  if (/^\d{1,9}$/.test(digits)) {
    const hasId = sql<boolean>`users.id = ${Number(digits)}`
    if (digits.length < PHONE_PART_MIN) return hasId
    return sql<boolean>`(${hasId} OR users.phone LIKE ${`%${digits}%`})`
  }
  if (/[@_]/.test(typed) && !/\s/.test(typed)) {
    const part = typed.toLowerCase().replace(/[\\%_]/g, '\\$&')
    return sql<boolean>`users.email LIKE ${`%${part}%`}`
  }
  const words = foldQuery(q)
  if (words.length === 0) return sql<boolean>`${q.trim() === ''}`
  const found = words.map((word) => sql<boolean>`users.search_text LIKE ${`% ${word}%`}`)
  return sql<boolean>`(${sql.join(found, sql` AND `)})`
}
