import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { PAYMENT_PROVIDERS } from '../../../src/rules/gateways.ts'
import { LANGUAGES } from '../../../src/rules/languages.ts'
import { PAYOUT_STATES } from '../../../src/rules/payouts.ts'
import { ANSWER_MAX_LENGTH } from '../../../src/rules/rating.ts'
import { ROLES } from '../../../src/rules/roles.ts'
import { CHAT_MESSAGE_MAX_LENGTH } from '../../../src/rules/room.ts'
import { UPLOAD_PURPOSES } from '../../../src/rules/uploads.ts'
import { KEPT_SEARCH_MAX_LENGTH } from '../../../src/server/figures/empty-searches.ts'
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '../../../src/server/http/idempotency.ts'
import { freshDatabase } from '../../support/database.ts'

/** The check constraints of all tables, as the database writes them. */
let checks: { table: string; definition: string }[]

beforeAll(async () => {
  const { database, drop } = await freshDatabase()
  const { rows } = await sql<(typeof checks)[number]>`
    SELECT conrelid::regclass::text AS table, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace
    ORDER BY 1`.execute(database.kysely)
  checks = rows
  await drop()
})

/** What a column's check allows: the quoted values of `column = ANY (ARRAY['a'::text, …])`. */
function allowed(table: string, column: string): string[] {
  const check = checks.find(
    (each) => each.table === table && each.definition.includes(`((${column} = ANY (ARRAY[`),
  )
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
  ['payments', 'provider', PAYMENT_PROVIDERS],
] as const)(
  'the database accepts all values of the list for %s.%s, and no other',
  ([table, column, list]) => {
    expect(allowed(table, column)).toEqual([...list].sort())
  },
)

// A longer text needs a migration that widens its check; a new check is listed here with its limit.
test('every length limit of the database is the limit of the code', () => {
  const limits = checks.flatMap(({ table, definition }) =>
    [...definition.matchAll(/length\((\w+)\) <= (\d+)/g)].map(
      ([, column, most]) => [`${table}.${column}`, Number(most)] as const,
    ),
  )
  expect(Object.fromEntries(limits)).toEqual({
    'chat_messages.content': CHAT_MESSAGE_MAX_LENGTH,
    'empty_searches.words': KEPT_SEARCH_MAX_LENGTH,
    'idempotent_requests.key': IDEMPOTENCY_KEY_MAX_LENGTH,
    'rating_answers.text': ANSWER_MAX_LENGTH,
  })
})
