import type { RawBuilder } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A migration that executes these statements in their order. */
export const migration = (...statements: readonly RawBuilder<unknown>[]): Migration => ({
  async up(database) {
    for (const statement of statements) await statement.execute(database)
  },
})
