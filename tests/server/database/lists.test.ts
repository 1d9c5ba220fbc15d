import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { PROVIDERS } from '../../../src/contract/orders.ts'
import { PAYOUT_STATES } from '../../../src/contract/payouts.ts'
import { LANGUAGES } from '../../../src/rules/languages.ts'
import { ROLES } from '../../../src/rules/roles.ts'
import { CHAT_MESSAGE_MAX_LENGTH } from '../../../src/rules/room.ts'
import { UPLOAD_PURPOSES } from '../../../src/rules/uploads.ts'
import { freshDatabase } from '../../support/database.ts'

/** The checks of a table, as the database writes them. */
async function checksOf(table: string): Promise<{ definition: string }[]> {
  const { database, drop } = await freshDatabase()
  const { rows } = await sql<{ definition: string }>`
    SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE conrelid = ${table}::regclass AND contype = 'c'`.execute(database.kysely)
  await drop()
  return rows
}

/** What a column's check allows: the quoted values of `column = ANY (ARRAY['a'::text, …])`. */
async function allowed(table: string, column: string): Promise<string[]> {
  const rows = await checksOf(table)
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
  ['payouts', 'status', PAYOUT_STATES],
  ['uploads', 'purpose', UPLOAD_PURPOSES],
  // Without a gateway there is no payment by card; transfers are booked by hand.
  ['payments', 'provider', ['manual', ...PROVIDERS.filter((provider) => provider !== 'none')]],
] as const)(
  'the database takes all values of the list for %s.%s, and no other',
  async ([table, column, list]) => {
    expect(await allowed(table, column)).toEqual([...list].sort())
  },
)

// A longer message needs a migration that widens the check.
test('the database takes messages of CHAT_MESSAGE_MAX_LENGTH characters', async () => {
  const lengths = (await checksOf('chat_messages')).flatMap(
    ({ definition }) => /length\(content\) <= (\d+)/.exec(definition)?.[1] ?? [],
  )
  expect(lengths).toEqual([String(CHAT_MESSAGE_MAX_LENGTH)])
})
