import type { Kysely } from 'kysely'
import { LOCALES } from '../../i18n/locales.ts'
import { SITE } from '../../site.ts'
import type { Schema } from '../database/schema.ts'

/** The shop as those who write to it see it, in every language that it is written in. */
export const SHOP_NAME = [...new Set(LOCALES.map((locale) => SITE.name[locale]))].join(' · ')

/**
 * The account that the common inbox's conversations are held with (docs/shop.md, Conversations). It
 * is made when the first customer looks for somebody to write to, so that an empty shop stays empty.
 */
export async function shopAccount(db: Kysely<Schema>): Promise<number> {
  const id = (await findShop(db)) ?? (await makeShop(db)) ?? (await findShop(db))
  if (id === undefined) throw new Error('The account of the common inbox could not be made.')
  return id
}

async function findShop(db: Kysely<Schema>): Promise<number | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'SHOP')
    .executeTakeFirst()
  return row?.id
}

/** Undefined where another instance has made it at the same moment. */
async function makeShop(db: Kysely<Schema>): Promise<number | undefined> {
  const row = await db
    .insertInto('users')
    .values({
      // No address: nobody can have registered it, and no mail goes there.
      email: 'shop',
      username: 'shop',
      firstName: '',
      lastName: '',
      role: 'SHOP',
      passwordHash: '',
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}
