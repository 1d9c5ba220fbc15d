import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ABOUT_NOBODY, KEPT_BY_LAW, PERSONAL } from '../../../src/server/own-data/tables.ts'
import { aDatabase } from '../../support/database.ts'

const { database } = await aDatabase()

const TEXTS = ['text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY']
const words = (columns: string) => columns.split(/\s+/).filter(Boolean).sort()

// A new table, or a new column of text, is named in one of the lists of src/server/own-data/tables.ts.
test('every table and every text of it is known to deletions', async () => {
  const { rows } = await sql<{ table: string; texts: string[] }>`
    SELECT t.table_name AS table, array_remove(array_agg(c.column_name::text ORDER BY c.column_name)
      FILTER (WHERE c.data_type = ANY (${TEXTS}::text[]) AND c.udt_name <> '_int4'), NULL) AS texts
    FROM information_schema.tables t
    JOIN information_schema.columns c USING (table_schema, table_name)
    WHERE t.table_schema = 'public' GROUP BY t.table_name`.execute(database.kysely)
  const known = [
    ...Object.entries(PERSONAL).map(([table, { texts }]) => [table, words(texts)] as const),
    ...Object.entries({ ...KEPT_BY_LAW, ...ABOUT_NOBODY }).map(
      ([table, texts]) => [table, words(texts)] as const,
    ),
  ]
  expect(Object.fromEntries(known)).toEqual(
    Object.fromEntries(rows.map(({ table, texts }) => [table, texts ?? []])),
  )
})

// A new table is named there with what bounds it and when it goes.
test('every table is in docs/operating/limits.md, under Rows', async () => {
  const { rows } = await sql<{ table: string }>`
    SELECT table_name AS table FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`.execute(database.kysely)
  const section = readFileSync('docs/operating/limits.md', 'utf8').split('\n## Rows\n')[1] ?? ''
  const [text = ''] = section.split('\n## ')
  const named = [...text.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name)
  const tables = rows.map(({ table }) => table)
  expect(named.filter((name) => name !== 'jobs').toSorted()).toEqual(tables.toSorted())
})
