import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { migrate } from '../../../src/server/database/migrate.ts'
import { migrations } from '../../../src/server/database/migrations/index.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { runStatement, urlOf } from '../../support/database.ts'

const NAME = '0043-method-texts'

const BEFORE = `INSERT INTO site_versions (subject, revision, value, actor, made_at) VALUES
  ('text ar order:page.methods.d17', 1, '"D17 قديم"', 'admin', '2026-01-01'),
  ('text ar order:page.methods.d17', 2, '"D17 البريد"', 'admin', '2026-03-01'),
  ('text ar checkout:payment.d17', 1, '"D17"', 'admin', '2026-02-01'),
  ('text fr library:page.waiting.methods.card', 1, '"Carte"', 'other', '2026-01-01'),
  ('text fr library:page.waiting.methods.card', 2, NULL, 'other', '2026-01-02'),
  ('text fr charging:page.history.waiting.methods.bank_transfer', 1, '"Virement"', 'other', '2026-01-01'),
  ('text fr checkout:payment.title', 1, '"Payer"', 'other', '2026-01-01')`

test('what administrators wrote for a payment method is its name on all pages', async () => {
  const { url: server, template } = inject('databaseServer')
  const name = template.replace('template', 'before_method_texts')
  await runStatement(server, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
  const url = urlOf(server, name)
  const database = openDatabase(url)
  onTestFinished(async () => {
    await database.close()
    await runStatement(server, `DROP DATABASE ${name} WITH (FORCE)`)
  })
  const earlier = Object.entries(migrations).filter(([key]) => key < NAME)
  await migrate(url, { migrations: Object.fromEntries(earlier) })
  await runStatement(url, BEFORE)
  await migrate(url)
  const { rows } = await sql`
    SELECT subject, revision, value, actor FROM site_versions
    WHERE subject LIKE '%common:methods%' ORDER BY subject`.execute(database.kysely)
  expect(rows).toEqual([
    { subject: 'text ar common:methods.d17', revision: 1, value: 'D17 البريد', actor: 'admin' },
    {
      subject: 'text fr common:methods.bank_transfer',
      revision: 1,
      value: 'Virement',
      actor: 'other',
    },
  ])
})
