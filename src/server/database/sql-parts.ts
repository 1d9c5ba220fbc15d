import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * A list of ids for a statement that is run often. The planner cannot see its length, and so reuses
 * one plan for lists of any length: for a plain parameter, it would find a cheaper plan for a few
 * ids, and make it again at every call.
 */
export function idList(ids: readonly number[]): RawBuilder<number[]> {
  return sql`(SELECT ${[...ids]}::integer[])::integer[]`
}

/**
 * The full name of the person in a row, by the name or alias of its table: users, teachers or
 * requests to join. `fullName` of rules/ composes the same.
 */
export function fullNameIn(table: string): RawBuilder<string> {
  return sql`trim(${sql.ref(`${table}.first_name`)} || ' ' || ${sql.ref(`${table}.last_name`)})`
}

/** A text that people wrote, to sort by: as `textOrder` of rules/ does. */
export function inOrder(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`translate(${text}, 'آأإٱ', 'اااا') COLLATE text_order`
}

/** What `nameOrContact` of rules/ composes; NULL where there is no account. */
export function nameOrContactIn(users: string): RawBuilder<string> {
  return sql`coalesce(nullif(${fullNameIn(users)}, ''),
    ${sql.ref(`${users}.email`)}, ${sql.ref(`${users}.phone`)}, ${sql.ref(`${users}.username`)})`
}

/** Whether a teacher's account may do what waits for an administrator's approval. */
export async function isApproved(db: Kysely<Schema>, teacherId: number): Promise<boolean> {
  const waiting = await db
    .selectFrom('teachers')
    .select('id')
    .where('id', '=', teacherId)
    .where('approvedAt', 'is', null)
    .executeTakeFirst()
  return !waiting
}

/** The administrators who can log in, by id. */
export const administratorsIn = (db: Kysely<Schema>) =>
  db
    .selectFrom('users')
    .where('role', '=', 'ADMIN')
    .where('passwordHash', 'is not', null)
    .where('blockedAt', 'is', null)
    .orderBy('id')

/**
 * Advances the sequences of these tables past the ids of rows that were inserted with fixed ids.
 */
export async function advanceIds(
  db: Kysely<Schema>,
  tables: readonly (keyof Schema)[],
): Promise<void> {
  for (const table of tables) {
    const name = table.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    await sql`
      SELECT setval(
        pg_get_serial_sequence(${name}, 'id'),
        (SELECT coalesce(max(id), 0) + 1 FROM ${sql.table(name)}),
        false
      )`.execute(db)
  }
}
