// @at-landing: it starts a shop eight times and checks 60 documents twice.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Import } from '../../src/contract/office-imports.ts'
import { readConfig } from '../../src/server/config/config.ts'
import type { Database } from '../../src/server/database/pool.ts'
import { openStorage } from '../../src/server/files/files.ts'
import { readSecret } from '../../src/server/http/secret.ts'
import { pack } from '../../src/stores/office/imports/pack.ts'
import { cleanUpLater, killImports, listFiles, writeImport } from '../chaos/import-kills.ts'
import { importerOf } from '../chaos/importer.ts'
import { openDatabaseOf } from '../support/embedded-database.ts'
import { factories } from '../support/factories.ts'
import { type ShopProcess, spawnShop } from '../support/shop-process.ts'

const DOCUMENTS = 40
/** Each test starts a shop several times. */
const TIMEOUT = 600_000
/** Enough for the check to take seconds. */
const UPLOADED = 60

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

async function aTeacher() {
  const secret = await readSecret({ jwtSecret: null, dataDir })
  // Both tests have one; names are numbered.
  teachers += 100
  const firstNumber = teachers
  return await within((database) =>
    factories({ database, secret, dataDir, now: Date.now, firstNumber }).anOfficeTeacher(),
  )
}

/** A ZIP of a teacher's own list with its files. */
async function ownList(): Promise<Buffer> {
  const files = [...listFiles(UPLOADED, { own: true })].map(([name, content]) => ({
    name,
    file: new File([content as BlobPart], name),
  }))
  return Buffer.from(await (await pack(files)).arrayBuffer())
}

const until = (condition: () => Promise<boolean>) =>
  vi.waitFor(async () => expect(await condition()).toBe(true), { timeout: 180_000, interval: 100 })

afterAll(async () => {
  await shop?.stop()
  await rm(directory, { recursive: true, force: true })
})

test(
  'an import killed while it checks, stores and writes leaves no partial document and no orphan',
  async () => {
    const folder = join(directory, 'list')
    await writeImport(folder, DOCUMENTS)

    const round = await killImports(dataDir, folder)
    expect(round.afterKills).toHaveLength(3)
    for (const count of round.afterKills) expect([0, DOCUMENTS]).toContain(count)
    const { created, unchanged } = round.imported
    expect(created + unchanged).toBe(DOCUMENTS)
    expect(round.again).toEqual({ created: 0, changed: 0, unchanged: DOCUMENTS, notes: [] })
    expect(round.orphans).toEqual([])
    expect(round.without).toEqual([])

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
    const teacher = await aTeacher()
    const { call, last, begin } = importerOf(() => shop.url, teacher.token)
    const written = () =>
      within(async ({ kysely }) => {
        const rows = await kysely
          .selectFrom('documents')
          .innerJoin('files', 'files.id', 'fileId')
          .innerJoin('documentVersions as v', 'v.documentId', 'documents.id')
          .select('documents.id')
          .where('documents.teacherId', '=', teacher.teacherId)
          .execute()
        return rows.length
      })

    const { id } = await begin(await ownList())
    await until(async () => (await last()).step === 'checking')
    await killAndOpen()
    expect(await last()).toMatchObject({ id, phase: 'checking', problems: [] })
    await until(async () => (await last()).phase === 'ready')
    expect(await last()).toMatchObject({ isBegunAnew: true, created: UPLOADED, problems: [] })

    await call('POST', `imports/${id}/start`)
    await until(async () => (await last()).step !== null)
    await killAndOpen()
    // The documents and the state `done` are written in one transaction.
    const { phase } = await last()
    expect([phase, await written()]).toEqual(
      phase === 'done' ? ['done', UPLOADED] : ['importing', 0],
    )
    // A second start request changes nothing.
    expect((await call<Import>('POST', `imports/${id}/start`)).phase).toBe(phase)
    await until(async () => (await last()).phase === 'done')
    expect(await last()).toMatchObject({ created: UPLOADED, changed: 0, unchanged: 0 })
    expect(await written()).toBe(UPLOADED)
    const storage = await openStorage(readConfig({ DATA_DIR: dataDir }))
    const left = await within((database) => cleanUpLater(dataDir, database, storage))
    storage.close()
    expect(left).toEqual({ orphans: [], without: [], zips: [] })
  },
  TIMEOUT,
)

test(
  'an import that ends the shop twice has failed and says so, in place of ending it again',
  async () => {
    const teacher = await aTeacher()
    const { last, begin } = importerOf(() => shop.url, teacher.token)
    const { id } = await begin(await ownList())
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
