// @at-landing: a shop under load is backed up, and restored in three places.

import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createApi } from '../../../src/client/api.ts'
import { httpTransport } from '../../../src/client/http.ts'
import { logIn } from '../../../src/contract/accounts.ts'
import { dinars } from '../../../src/rules/money.ts'
import { checkBackup } from '../../../src/server/backup/backup-file.ts'
import { runCommandLine } from '../../../src/server/command-line/run.ts'
import { migrate } from '../../../src/server/database/migrate.ts'
import { type Database, openDatabase } from '../../../src/server/database/pool.ts'
import { openJobs } from '../../../src/server/jobs/jobs.ts'
import { installJobs } from '../../../src/server/jobs/queues.ts'
import { copyCluster, runStatement } from '../../support/database.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { openDatabaseOf } from '../../support/embedded-database.ts'
import { factories, PASSWORD } from '../../support/factories.ts'
import { runOperator } from '../../support/operator.ts'
import { PATIENCE } from '../../support/patience.ts'
import { spawnShop } from '../../support/shop-process.ts'
import { anEmptyDatabase, checksumsOf, officeOutput, secretOf, withShop } from './support.ts'

/** Customers who pay continuously until they are stopped; returns what was acknowledged. */
function shoppers(url: string, people: { id: number; token: string }[], documents: number[]) {
  const acknowledged: { userId: number; documentId: number }[] = []
  let isClosing = false
  const shopping = Promise.all(
    people.map(async (person) => {
      for (const documentId of documents) {
        if (isClosing) return
        const response = await fetch(`${url}/api/wallet/pay`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${person.token}`,
            'content-type': 'application/json',
            'idempotency-key': `${person.id}-${documentId}`,
          },
          body: JSON.stringify({ userId: person.id, documentIds: [documentId] }),
        })
        if (!response.ok) throw new Error(await response.text())
        acknowledged.push({ userId: person.id, documentId })
      }
    }),
  )
  // The caller receives the error when it stops them.
  shopping.catch(() => {})
  return {
    acknowledged,
    async stop() {
      isClosing = true
      await shopping
    },
  }
}

const BACKEND = [process.execPath, 'tests/server/chat/backend-process.ts'] as const

/** A shop in a process of its own, as an operator runs one, without its pages. */
async function openShop(dataDir: string) {
  copyCluster(dataDir)
  const shop = await spawnShop({ DATA_DIR: dataDir, DEMO: '0' }, { command: BACKEND })
  onTestFinished(() => shop.kill())
  const database = openDatabaseOf(dataDir)
  onTestFinished(() => database.close())
  return { ...shop, database }
}

const factoriesOf = (database: Database, dataDir: string) =>
  factories({ database, dataDir, secret: secretOf(dataDir), now: Date.now })

const bought = async (database: Database) =>
  new Set(
    (await database.pool.query('SELECT user_id, document_id FROM purchases')).rows.map(
      (row) => `${row.user_id}:${row.document_id}`,
    ),
  )

test('a backup under load is restored to a directory, to a server and back, with all that was acknowledged', async () => {
  const dataDir = temporaryDirectory()
  const live = await openShop(dataDir)
  const made = factoriesOf(live.database, dataDir)
  const documents = []
  for (let at = 0; at < 60; at += 1) {
    const file = new TextEncoder().encode(`%PDF-1.4\n${'page '.repeat(at * 1000)}\n%%EOF\n`)
    const title = `كتاب ${at}\tأ\\ب\n${at}`
    documents.push(await made.aDocument({ title, price: dinars(1), file }))
  }
  const people = await Promise.all(
    [0, 1, 2, 3].map((at) => {
      const reached = { email: `buyer${at}@karras.test`, phone: `5000000${at}` }
      return made.aCustomer({ ...reached, balance: dinars(500) })
    }),
  )
  const ids = documents.map(({ id }) => id)

  const load = shoppers(live.url, people, ids)
  await vi.waitFor(() => expect(load.acknowledged.length).toBeGreaterThan(20), PATIENCE)
  const before = [...load.acknowledged]
  const first = join(temporaryDirectory(), 'first.karras')
  await officeOutput(['backup', first], { DATA_DIR: dataDir })
  await load.stop()
  expect(statSync(first).mode & 0o777).toBe(0o600)

  // To a directory …
  const directory = join(temporaryDirectory(), 'restored')
  expect(await officeOutput(['restore', first], { DATA_DIR: directory })).toContain(
    'The ledger is sound',
  )
  const second = join(temporaryDirectory(), 'second.karras')
  await officeOutput(['backup', second], { DATA_DIR: directory })
  expect(await checksumsOf(second)).toEqual(await checksumsOf(first))

  // … from there to a server, as a role that is no superuser …
  const server = { DATABASE_URL: await anEmptyDatabase(), DATA_DIR: temporaryDirectory() }
  expect(await officeOutput(['restore', second], server)).toContain('The ledger is sound')
  const third = join(temporaryDirectory(), 'third.karras')
  await officeOutput(['backup', third], server)
  expect(await checksumsOf(third)).toEqual(await checksumsOf(first))

  // … and back.
  const back = temporaryDirectory()
  await officeOutput(['restore', third], { DATA_DIR: back })
  const shop = await openShop(back)
  const kept = await bought(shop.database)
  expect(before.filter(({ userId, documentId }) => !kept.has(`${userId}:${documentId}`))).toEqual(
    [],
  )
  expect((await runOperator(['ledger', 'check'], { DATA_DIR: back })).out).toContain('is sound')
  const { rows: files } = await shop.database.pool.query('SELECT storage_key, sha256 FROM files')
  expect(files).toHaveLength(60)
  for (const { storage_key: key, sha256 } of files) {
    const bytes = readFileSync(join(back, 'files', key))
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
  }

  // It is a working shop: people log in, and new rows get ids that were never used.
  const api = createApi(httpTransport(shop.url))
  const body = { username: 'buyer0@karras.test', password: PASSWORD }
  const { accessToken } = await api(logIn, { body })
  expect(accessToken).toBeTruthy()
  const reached = { email: 'new@karras.test', phone: '59999999' }
  const fresh = await factoriesOf(shop.database, back).aCustomer({ ...reached, balance: 1000 })
  expect(fresh.id).toBeGreaterThan(Math.max(...people.map(({ id }) => id)))
  // A token of the original shop is invalid here: a backup does not contain the secret.
  const old = await fetch(`${shop.url}/api/wallet/balance?userId=${people[0]?.id}`, {
    headers: { authorization: `Bearer ${people[0]?.token}` },
  })
  expect(old.status).toBe(401)
  // The triggers that guard the ledger are back.
  const { pool } = shop.database
  await expect(pool.query('DELETE FROM ledger_entries')).rejects.toThrow('refused')
  const orphan = pool.query('INSERT INTO cart_items (user_id, document_id) VALUES (999999, 999999)')
  await expect(orphan).rejects.toThrow('foreign key')
})

test('every table that the database lists is in a backup, and the schema is the same afterwards', async () => {
  const url = await anEmptyDatabase()
  await migrate(url)
  const tables = await runStatement(
    url,
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'kysely%'
     ORDER BY 1`,
  )
  const dataDir = temporaryDirectory()
  const file = join(dataDir, 'empty.karras')
  // The backup is logged in the original shop, after it.
  const schema = await schemaOf(url)
  await officeOutput(['backup', file], { DATABASE_URL: url, DATA_DIR: dataDir })
  const { header } = await checkBackup(file)
  expect(header.tables.map(({ name }) => name)).toEqual(tables.rows.map(({ name }) => name))
  expect(tables.rows.length).toBeGreaterThan(20)

  const other = await anEmptyDatabase()
  await officeOutput(['restore', file], { DATABASE_URL: other, DATA_DIR: dataDir })
  expect(await schemaOf(other)).toEqual(schema)
})

test('pending mails, and failed ones, are restored in their order of priority', async () => {
  const directory = temporaryDirectory()
  const url = await anEmptyDatabase()
  await migrate(url)
  const database = openDatabase(url)
  onTestFinished(() => database.close())
  await installJobs(database)
  const jobs = await openJobs({ database, report: () => {}, supervise: false })
  for (let at = 0; at < 1200; at += 1) {
    await jobs.enqueue(database.kysely, 'mail', { to: `${at}@karras.test`, text: 'é\nب' }, at % 3)
  }
  await jobs.enqueue(database.kysely, 'failed_mail', { to: 'gone@karras.test' })
  const before = (await jobs.exportWaiting()).map((mail) => JSON.stringify(mail)).sort()
  expect(before).toHaveLength(1201)
  await jobs.stop()
  const file = join(directory, 'mails.karras')
  const json = await officeOutput(['backup', file, '--json'], {
    DATABASE_URL: url,
    DATA_DIR: directory,
  })
  expect(JSON.parse(json)).toMatchObject({ mails: 1201 })

  const restored = join(directory, 'restored')
  await officeOutput(['restore', file], { DATA_DIR: restored })
  await withShop(restored, async (shop) => {
    const there = await openJobs({ database: shop.database, report: () => {}, supervise: false })
    const after = (await there.exportWaiting()).map((mail) => JSON.stringify(mail)).sort()
    await there.stop()
    expect(after).toEqual(before)
  })
})

test('progress is shown on a terminal, and not to a script', async () => {
  const directory = temporaryDirectory()
  const env = { DATABASE_URL: await anEmptyDatabase(), DATA_DIR: directory }
  const shown: string[] = []
  const quiet = { out: () => {}, err: () => {}, progress: (line: string) => void shown.push(line) }
  expect(await runCommandLine(['backup', join(directory, 'one'), '--json'], env, quiet)).toBe(0)
  expect(shown).toEqual([])
  expect(await runCommandLine(['backup', join(directory, 'two')], env, quiet)).toBe(0)
  expect(await runCommandLine(['restore', join(directory, 'two')], env, quiet)).toBe(0)
  expect(shown.length).toBeGreaterThan(0)
  for (const line of shown) expect(line).toMatch(/ \d+ %$/)
})

/** Constraints, triggers, indexes and sequence positions, as the server describes them. */
async function schemaOf(url: string): Promise<unknown[]> {
  const { rows } = await runStatement(
    url,
    `SELECT 'constraint' AS kind, conrelid::regclass || ' ' || conname AS name, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
     UNION ALL
     SELECT 'trigger', tgrelid::regclass || ' ' || tgname, tgenabled::text || pg_get_triggerdef(oid)
       FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL
     SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL
     SELECT 'sequence', sequencename, coalesce(last_value, 0)::text FROM pg_sequences
     ORDER BY 1, 2`,
  )
  return rows
}
