import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { plainSigns } from '../../../src/rules/pasted-text.ts'
import { migrate } from '../../../src/server/database/migrate.ts'
import { migrations } from '../../../src/server/database/migrations/index.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { runStatement, urlOf } from '../../support/database.ts'

const NAME = '0047-plain-references'

const BEFORE = [
  'MATH-1',
  'MATH-1\u200f',
  '3/MATH\u20117',
  'SVT\u00a0–\u202f2',
  'رياضيات-٧',
  'ＭＡＴＨ－９',
  'ﻣﺎﺩﺓ\ufeff',
  'PHY\u00ad-1',
  'PHY\u200b-1',
  '\u200f',
]

test('documents of earlier lists are found by the references that lists are read with', async () => {
  const { url: server, template } = inject('databaseServer')
  const name = template.replace('template', 'before_plain_references')
  await runStatement(server, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
  const url = urlOf(server, name)
  const database = openDatabase(url)
  onTestFinished(async () => {
    await database.close()
    await runStatement(server, `DROP DATABASE ${name} WITH (FORCE)`)
  })
  const earlier = Object.entries(migrations).filter(([key]) => key < NAME)
  await migrate(url, { migrations: Object.fromEntries(earlier) })
  await runStatement(
    url,
    `INSERT INTO teachers (first_name, last_name, email) VALUES ('A', 'B', 'a@b.tn')`,
  )
  for (const reference of BEFORE) {
    await sql`INSERT INTO documents (title, teacher_id, reference)
      VALUES ('x', (SELECT id FROM teachers), ${reference})`.execute(database.kysely)
  }
  await migrate(url)
  const { rows } = await sql<{ reference: string }>`
    SELECT reference FROM documents ORDER BY id`.execute(database.kysely)
  const after = rows.map(({ reference }) => reference)
  // What another document has already, and what has nothing visible, stays as it was.
  const kept = new Set(['MATH-1\u200f', 'PHY\u200b-1', '\u200f'])
  expect(after).toEqual(BEFORE.map((each) => (kept.has(each) ? each : plainSigns(each))))
})
