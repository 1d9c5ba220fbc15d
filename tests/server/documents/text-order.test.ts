import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listOwnDocuments } from '../../../src/contract/office-documents.ts'
import { listPeople } from '../../../src/contract/office-people.ts'
import { textOrder } from '../../../src/rules/text-order.ts'
import { inOrder } from '../../../src/server/database/sql-parts.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
const TITLES = readFileSync(new URL('../../cases/text/sort-titles.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const IN_ORDER = [
  'ZZ algèbre',
  'ZZ Devoir 2',
  'ZZ Devoir 10',
  'ZZ Étude 1',
  'ZZ Exercice',
  'ZZ Zéro',
  'ZZ ابن',
  'ZZ أحمد',
  'ZZ إعراب',
  'ZZ آلات',
  'ZZ بيت',
]

test('titles and names are sorted by language, with numbers, as in the browser', async () => {
  const teacher = await app.anOfficeTeacher()
  for (const title of TITLES) await app.aDocument({ title, teacherId: teacher.teacherId })
  const own = await app.call(listOwnDocuments, { as: teacher, query: { sort: 'title', size: 100 } })
  expect(own.content.map(({ title }) => title)).toEqual(IN_ORDER)
  expect(TITLES.toSorted(textOrder('fr'))).toEqual(IN_ORDER)

  for (const title of TITLES) await app.aCustomer({ firstName: 'ZZ', lastName: title.slice(3) })
  const as = await app.anOfficeAdministrator()
  const people = await app.call(listPeople, { as, query: { sort: '-name', size: 100 } })
  const names = people.content.map(({ name }) => name)
  expect(names.filter((name) => name.startsWith('ZZ '))).toEqual(IN_ORDER.toReversed())
})

test('people are read in the order of an index', async () => {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`EXPLAIN SELECT id FROM users
    ORDER BY ${inOrder(sql`first_name || ' ' || last_name`)}, id LIMIT 20`.execute(app.kysely)
  expect(JSON.stringify(rows)).toContain('users_name_in_order')
})
