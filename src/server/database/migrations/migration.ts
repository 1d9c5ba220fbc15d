import { type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A migration that executes these statements in their order. */
export const migration = (...statements: readonly RawBuilder<unknown>[]): Migration => ({
  async up(database) {
    for (const statement of statements) await statement.execute(database)
  },
})

/**
 * A migration that earlier versions work with, so that their processes go on, and start, beside
 * those of this version: it only adds, such as tables, and columns that are null or have a default.
 */
export const additive = (name: string, ...statements: readonly RawBuilder<unknown>[]) => ({
  [name]: migration(...statements, sql`INSERT INTO additive_migrations (name) VALUES (${name})`),
})

/** Refuses changes of a table's rows (`refuse_change` in `people.ts`); `why` ends the error. */
export const onlyAdded = (table: string, why: string) => [
  sql`CREATE TRIGGER ${sql.ref(`${table}_immutable`)} BEFORE UPDATE OR DELETE ON ${sql.table(table)}
    FOR EACH ROW EXECUTE FUNCTION refuse_change(${sql.lit(why)})`,
  sql`CREATE TRIGGER ${sql.ref(`${table}_no_truncate`)} BEFORE TRUNCATE ON ${sql.table(table)}
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change(${sql.lit(why)})`,
]
