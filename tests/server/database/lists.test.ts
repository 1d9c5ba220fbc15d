import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { PROVIDERS } from '../../../src/contract/orders.ts'
import { LANGUAGES } from '../../../src/rules/languages.ts'
import { ROLES } from '../../../src/rules/roles.ts'
import { freshDatabase } from '../../support/database.ts'

/** What a column's check allows: the quoted values of `column = ANY (ARRAY['a'::text, …])`. */
async function allowed(table: string, column: string): Promise<string[]> {
  const { database, drop } = await freshDatabase()
  const { rows } = await sql<{ definition: string }>`
    SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE conrelid = ${table}::regclass AND contype = 'c'`.execute(database.kysely)
  await drop()
  const check = rows.find(({ definition }) => definition.includes(`((${column} = ANY (ARRAY[`))
  return [...(check?.definition ?? '').matchAll(/'([^']*)'/g)]
    .map(([, value]) => value ?? '')
    .sort()
}

// A list that grows needs a migration that widens its check.
test.for([
  ['users', 'locale', LANGUAGES],
  ['payments', 'locale', LANGUAGES],
  ['users', 'role', [...ROLES, 'SHOP']],
  // Without a gateway there is no payment by card; transfers are booked by hand.
  ['payments', 'provider', ['manual', ...PROVIDERS.filter((provider) => provider !== 'none')]],
] as const)(
  'the database takes all values of the list for %s.%s, and no other',
  async ([table, column, list]) => {
    expect(await allowed(table, column)).toEqual([...list].sort())
  },
)
