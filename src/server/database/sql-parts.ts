import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** The planner cannot see this list's length, and so reuses one plan for lists of any length. */
export function idList(ids: readonly number[]): RawBuilder<number[]> {
  return sql`(SELECT ${[...ids]}::integer[])::integer[]`
}

/** A person's full name in SQL, by the row's table or alias; as `fullName` of rules/. */
export function fullNameIn(table: string): RawBuilder<string> {
  return sql`trim(${sql.ref(`${table}.first_name`)} || ' ' || ${sql.ref(`${table}.last_name`)})`
}

/** The full name of an account, or its e-mail address if it has no name. */
export function nameOrEmailIn(users: string): RawBuilder<string> {
  return sql`coalesce(nullif(${fullNameIn(users)}, ''), ${sql.ref(`${users}.email`)})`
}

/** Moves these tables' sequences past rows inserted with fixed ids. */
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
