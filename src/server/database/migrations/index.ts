import type { Migration } from 'kysely/migration'
import * as shop from './0001-shop.ts'
import * as wishlists from './0002-wishlists.ts'
import * as passwordResets from './0003-password-resets.ts'

/** Every migration, oldest first by name. One that has landed is never edited. */
export const migrations: Record<string, Migration> = {
  '0001-shop': shop,
  '0002-wishlists': wishlists,
  '0003-password-resets': passwordResets,
}
