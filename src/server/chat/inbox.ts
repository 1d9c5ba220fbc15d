import type { Kysely } from 'kysely'
import { LOCALES } from '../../i18n/locales.ts'
import type { Schema } from '../database/schema.ts'
import { readBrand } from '../site-texts/site-texts.ts'

/** The name of the shop in conversations: its names in all languages. */
export async function shopName(db: Kysely<Schema>): Promise<string> {
  const { name } = await readBrand(db)
  return [...new Set(LOCALES.map((locale) => name[locale]))].join(' · ')
}

/**
 * The account that represents the common inbox in conversations with customers (docs/shop.md,
 * Conversations). It is created when the first customer looks for a recipient, so that an empty
 * shop stays empty.
 */
export async function shopAccount(db: Kysely<Schema>): Promise<number> {
  const found = db.selectFrom('users').select('id').where('role', '=', 'SHOP')
  const known = await found.executeTakeFirst()
  if (known) return known.id
  await db
    .insertInto('users')
    .values({
      // Not a real address: nobody can register it, and no mail is sent to it.
      email: 'shop',
      username: 'shop',
      firstName: '',
      lastName: '',
      role: 'SHOP',
      passwordHash: '',
    })
    // Another instance may create it at the same moment.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await found.executeTakeFirstOrThrow()).id
}
