// @at-landing: it starts a shop eight times and checks 60 documents twice.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Api, createApi } from '../../src/client/api.ts'
import { httpTransport } from '../../src/client/http.ts'
import { beginImport, getImport, startImport } from '../../src/contract/office-imports.ts'
import { DAY_MS } from '../../src/rules/durations.ts'
import { readConfig } from '../../src/server/config/config.ts'
import type { Database } from '../../src/server/database/pool.ts'
import type { Deps } from '../../src/server/deps.ts'
import { IMPORTING } from '../../src/server/documents/import/write-list.ts'
import { openStorage } from '../../src/server/files/files.ts'
import { readSecret } from '../../src/server/http/secret.ts'
import { expireImports } from '../../src/server/imports/imports.ts'
import { cleanUpFiles } from '../../src/server/uploads/uploads.ts'
import { listFiles } from '../chaos/lists.ts'
import { uploadFile } from '../chaos/measured-shop.ts'
import { openDatabaseOf } from '../support/embedded-database.ts'
import { factories } from '../support/factories.ts'
import { zip } from '../support/imports.ts'
import { cleanEnvironment, type ShopProcess, spawnShop } from '../support/shop-process.ts'

/** In the operator's list, and in a teacher's: enough for its check to take seconds. */
const LISTED = 40
const UPLOADED = 60
/** Each test starts a shop several times. */
const TIMEOUT = 600_000

let directory: string
let dataDir: string
let shop: ShopProcess
let teachers = 0
const open = () => spawnShop({ DATA_DIR: dataDir, DEMO: '0' })

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'karras-import-kills-'))
  dataDir = join(directory, 'data')
  shop = await open()
})
/** Kills the shop (`kill -9`) in the middle of its work and starts it again. */
async function killAndOpen() {
  await shop.kill()
  shop = await open()
}

/** Opens the running shop's database while `work` runs. */
async function within<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabaseOf(dataDir)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** A teacher who imports lists into whichever shop runs. */
async function anImporter() {
  const secret = await readSecret({ jwtSecret: null, dataDir })
  // Each test has one; names are numbered.
  teachers += 100
  const firstNumber = teachers
  const teacher = await within((database) =>
    factories({ database, secret, dataDir, now: Date.now, firstNumber }).anOfficeTeacher(),
  )
  const api: Api = (...given) => createApi(httpTransport(shop.url))(...given)
  return {
    ...teacher,
    /** Uploads a list of their own with its files, and begins to import it. */
    async begin() {
      const list = await zip(listFiles(UPLOADED, { own: true }))
      const { id } = await uploadFile({ api }, teacher, list, { purpose: 'import' })
      return api(beginImport, { body: { uploadId: id } }, teacher)
    },
    start: (id: string) => api(startImport, { params: { id } }, teacher),
    last: async () => (await api(getImport, {}, teacher)).last ?? expect.unreachable(),
  }
}

const until = (condition: () => Promise<boolean>) =>
  vi.waitFor(async () => expect(await condition()).toBe(true), { timeout: 180_000, interval: 100 })

afterAll(async () => {
  await shop?.stop()
  await rm(directory, { recursive: true, force: true })
})

function spawnImport(folder: string) {
  return spawn(process.execPath, ['src/server/command-line/main.ts', 'import', folder, '--json'], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: cleanEnvironment({ DATA_DIR: dataDir }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function importWhole(folder: string) {
  const child = spawnImport(folder)
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  expect(code, output).toBe(0)
  return JSON.parse(output) as { created: number; changed: number; unchanged: number }
}

/** Cleans up as if two days had passed; returns leftover and missing files. */
async function cleanUpLater(database: Database) {
  const storage = await openStorage(readConfig({ DATA_DIR: dataDir }))
  const later = Date.now() + 2 * DAY_MS
  const deps = { database, files: storage, config: { dataDir }, now: () => later }
  await expireImports(deps as unknown as Deps)
  await cleanUpFiles(deps as unknown as Deps)
  const rows = await database.kysely
    .selectFrom('documents as d')
    .innerJoin('files as f', 'f.id', 'd.fileId')
    .select(['d.id', 'f.storageKey'])
    .execute()
  const used = new Set(rows.map(({ storageKey }) => storageKey))
  const stored: string[] = []
  for await (const { key } of storage.list()) stored.push(key)
  storage.close()
  return {
    orphans: stored.filter((key) => key.endsWith('.pdf') && !used.has(key)),
    without: rows.filter((row) => !stored.includes(row.storageKey)).map(({ id }) => id),
    zips: stored.filter((key) => key.endsWith('.zip')),
  }
}

const NOTHING_LEFT = { orphans: [], without: [], zips: [] }

test(
  'an import killed while it checks, stores and writes leaves no partial document and no orphan',
  async () => {
    const folder = join(directory, 'list')
    await mkdir(join(folder, 'files'), { recursive: true })
    for (const [name, content] of Object.entries(listFiles(LISTED)))
      await writeFile(join(folder, name), content)

    await within(async (database) => {
      const storage = await openStorage(readConfig({ DATA_DIR: dataDir }))
      const countStored = async () => (await Array.fromAsync(storage.list())).length
      const count = async (query: RawBuilder<{ count: string }>) =>
        Number((await query.execute(database.kysely)).rows[0]?.count)
      const connected = sql<{ count: string }>`SELECT count(*) FROM pg_stat_activity`
      const locked = sql<{ count: string }>`
        SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = ${IMPORTING}`
      const [stored, connections] = [await countStored(), await count(connected)]
      // It has connected; it has stored a file; it holds the lock under which it writes.
      for (const hasCome of [
        async () => (await count(connected)) > connections,
        async () => (await countStored()) > stored,
        async () => (await count(locked)) > 0,
      ]) {
        const child = spawnImport(folder)
        const ended = once(child.stdout.resume(), 'close')
        while (child.exitCode === null && !(await hasCome())) await wait(2)
        child.kill('SIGKILL')
        await ended
        const written = sql<{ count: string }>`
          SELECT count(*) FROM documents WHERE reference LIKE 'KILL-%'`
        expect([0, LISTED]).toContain(await count(written))
      }
      storage.close()
      const { created, unchanged } = await importWhole(folder)
      expect(created + unchanged).toBe(LISTED)
      const again = { created: 0, changed: 0, unchanged: LISTED, notes: [] }
      expect(await importWhole(folder)).toEqual(again)
      expect(await cleanUpLater(database)).toEqual(NOTHING_LEFT)
    })

    const found = await fetch(
      `${shop.url}/api/documents/paginated?title=${encodeURIComponent('وثيقة عدد 7')}`,
    )
    expect((await found.json()).totalElements).toBeGreaterThan(0)
  },
  TIMEOUT,
)

test(
  'an import by upload resumes in a shop that was killed while it checked and while it stored',
  async () => {
    const { teacherId, begin, start, last } = await anImporter()
    const written = () =>
      within(async ({ kysely }) => {
        const rows = await kysely
          .selectFrom('documents')
          .innerJoin('files', 'files.id', 'fileId')
          .innerJoin('documentVersions as v', 'v.documentId', 'documents.id')
          .select('documents.id')
          .where('documents.teacherId', '=', teacherId)
          .execute()
        return rows.length
      })

    const { id } = await begin()
    await until(async () => (await last()).step === 'checking')
    await killAndOpen()
    expect(await last()).toMatchObject({ id, phase: 'checking', problems: [] })
    await until(async () => (await last()).phase === 'ready')
    expect(await last()).toMatchObject({ isBegunAnew: true, created: UPLOADED, problems: [] })

    await start(id)
    await until(async () => (await last()).step !== null)
    await killAndOpen()
    // The documents and the state `done` are written in one transaction.
    const { phase } = await last()
    expect([phase, await written()]).toEqual(
      phase === 'done' ? ['done', UPLOADED] : ['importing', 0],
    )
    // A second start request changes nothing.
    expect((await start(id)).phase).toBe(phase)
    await until(async () => (await last()).phase === 'done')
    expect(await last()).toMatchObject({ created: UPLOADED, changed: 0, unchanged: 0 })
    expect(await written()).toBe(UPLOADED)
    expect(await within(cleanUpLater)).toEqual(NOTHING_LEFT)
  },
  TIMEOUT,
)

test(
  'an import that ends the shop twice has failed and says so, in place of ending it again',
  async () => {
    const { begin, last } = await anImporter()
    const { id } = await begin()
    await until(async () => (await last()).step === 'checking')
    await killAndOpen()
    await until(async () => {
      const { isBegunAnew, step } = await last()
      return isBegunAnew && step === 'checking'
    })
    await killAndOpen()
    await until(async () => (await last()).phase !== 'checking')
    const problems = [{ row: null, column: null, code: 'stopped_shop', detail: '' }]
    expect(await last()).toMatchObject({ id, phase: 'failed', problems, problemCount: 1 })
    expect(shop.output()).toMatch(/A job was given up \(imports\): 2 times/)
  },
  TIMEOUT,
)
