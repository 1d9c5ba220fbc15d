import type { Migration } from 'kysely/migration'
import { catalogueMigrations } from './catalogue.ts'
import { chatMigrations } from './chat.ts'
import { documentsMigrations } from './documents.ts'
import { followingMigrations } from './following.ts'
import { libraryMigrations } from './library.ts'
import { moneyMigrations } from './money.ts'
import { ownDataMigrations } from './own-data.ts'
import { peopleMigrations } from './people.ts'
import { ratingsMigrations } from './ratings.ts'
import { shopMigrations } from './shop.ts'

/**
 * Every migration, in the order of their names. The statements of a released migration never
 * change; a new one gets the next number, in the file of what it is about.
 */
export const migrations: Record<string, Migration> = Object.fromEntries(
  Object.entries({
    ...peopleMigrations,
    ...shopMigrations,
    ...catalogueMigrations,
    ...documentsMigrations,
    ...moneyMigrations,
    ...libraryMigrations,
    ...ratingsMigrations,
    ...chatMigrations,
    ...ownDataMigrations,
    ...followingMigrations,
  }).sort(([a], [b]) => (a < b ? -1 : 1)),
)
