// @one-database: other versions of PostgreSQL may choose other plans.
import pg from 'pg'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { makeCatalogue } from '../../bench/make-catalogue.ts'
import { amount } from '../../support/amount.ts'
import { runStatement } from '../../support/database.ts'
import { sharedApp } from '../../support/test.ts'

const DOCUMENTS = amount('PLANNED_DOCUMENTS', { usual: 10_000, long: 100_000 })

/**
 * How many times PostgreSQL plans a named statement for its parameters, before it may use a generic
 * plan.
 */
const CUSTOM_PLANS = 5

const PATHS = [
  '/documents',
  '/documents/featured',
  '/documents/top-selling',
  '/documents/by-featured-authors',
  '/documents/7',
  '/documents/teacher/3',
  '/documents/paginated?size=12',
  '/documents/paginated?title=%D8%AF%D8%B1%D9%88%D8%B3&matiereId=3',
  '/teachers/3',
  '/teachers',
  '/matieres',
]

interface Statement {
  text: string
  values: unknown[]
}

const app = await sharedApp()
beforeAll(() => makeCatalogue(app.kysely, app.deps.config.dataDir, { count: DOCUMENTS }))

/** The statements of a call, once it is no longer the first. */
async function statementsOf(path: string): Promise<Statement[]> {
  await app.request('GET', `/api${path}`)
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  expect(await app.request('GET', `/api${path}`)).toMatchObject({ status: 200 })
  const read = spy.mock.calls.flatMap(([query]) => {
    const { text = '', values = [] } = query as unknown as Partial<Statement>
    return /\bdocuments\b/.test(text) ? [{ text, values: values as unknown[] }] : []
  })
  spy.mockRestore()
  return read
}

/** The plan that PostgreSQL has for a statement after some calls, one line per step. */
async function planOf({ text, values }: Statement): Promise<string[]> {
  const given = values.map((value) =>
    value === null
      ? 'NULL'
      : pg.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value)),
  )
  const execute = `EXECUTE planned${given.length > 0 ? ` (${given.join(', ')})` : ''}`
  const plan = await runStatement(
    app.databaseUrl,
    [
      `PREPARE planned AS ${text}`,
      ...Array<string>(CUSTOM_PLANS).fill(execute),
      `EXPLAIN ${execute}`,
    ].join('; '),
  )
  const explained = [plan].flat().at(-1)
  return explained?.rows.map((row: Record<string, string>) => row['QUERY PLAN'] ?? '') ?? []
}

describe(`with ${DOCUMENTS} documents`, () => {
  test.for(PATHS)('%s reads no more documents than it shows', async (path) => {
    const statements = await statementsOf(path)
    expect(statements).not.toEqual([])
    for (const statement of statements) {
      const plan = (await planOf(statement)).join('\n')
      expect(plan).not.toMatch(/Seq Scan on documents\b/)
    }
  })
})
