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
