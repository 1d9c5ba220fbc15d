// @one-database: it damages files.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startEmbedded } from '../../../src/server/database/embedded.ts'
import { migrate } from '../../../src/server/database/migrate.ts'
import { runStatement } from '../../support/database.ts'
import { runOperator } from '../../support/operator.ts'
import { aSmallDisk, canMount } from '../../support/small-disk.ts'
import { aBackup, aDirectory, anEmptyDatabase, officeOutput, withShop } from './support.ts'

let dataDir: string
let file: string

beforeAll(async () => {
  const backup = await aBackup()
  dataDir = backup.dataDir
  file = backup.file
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

describe('a target that is not empty is refused', () => {
  test('a DATA_DIR with a shop, running or not, which stays unchanged', async () => {
    const before = await runOperator(['ledger', 'check'], { DATA_DIR: dataDir })
    const { exit, err } = await runOperator(['restore', file], { DATA_DIR: dataDir })
    expect([exit, err]).toEqual([
      3,
      `DATA_DIR: ${dataDir} holds a shop's database already; restore into an empty directory.`,
    ])
    const server = await startEmbedded({ dataDir })
    onTestFinished(() => server.stop())
    const running = await runOperator(['restore', file], { DATA_DIR: dataDir })
    expect([running.exit, running.err]).toEqual([3, expect.stringContaining('is in use')])
    expect((await runOperator(['ledger', 'check'], { DATA_DIR: dataDir })).out).toBe(before.out)
  })

  test('a DATA_DIR with the files of a shop elsewhere, which stay', async () => {
    const target = aDirectory()
    mkdirSync(join(target, 'files', 'ab'), { recursive: true })
    writeFileSync(join(target, 'files', 'ab', 'x.pdf'), 'x')
    const { exit, err } = await runOperator(['restore', file], { DATA_DIR: target })
    expect([exit, err]).toEqual([3, expect.stringContaining("holds a shop's files already")])
    expect(readdirSync(join(target, 'files'))).toEqual(['ab'])
  })

  test('a database with a row of a shop, a foreign table, or an open session', async () => {
    const url = await anEmptyDatabase()
    const env = { DATABASE_URL: url, DATA_DIR: aDirectory() }
    await runStatement(url, 'CREATE TABLE notes ()')
    expect((await runOperator(['restore', file], env)).err).toContain('has a table notes')
    await runStatement(url, 'DROP TABLE notes')

    const client = new pg.Client(url)
    await client.connect()
    expect((await runOperator(['restore', file], env)).err).toContain(
      'in use by 1 other connections',
    )
    await client.end()

    // A shop that was opened there but never used counts as empty …
    await migrate(url)
    await officeOutput(['restore', file], env)
    // … and a restored one does not.
    const again = await runOperator(['restore', file], env)
    expect([again.exit, again.err]).toEqual([3, expect.stringContaining('is not empty')])
  })

  test('a backup never overwrites anything', async () => {
    const before = readFileSync(file)
    const again = await runOperator(['backup', file], { DATA_DIR: dataDir })
    expect([again.exit, again.err]).toEqual([1, `${file} exists already; choose another name.`])
    expect(readFileSync(file)).toEqual(before)
    const nowhere = await runOperator(['backup', join(dataDir, 'no', 'where')], {
      DATA_DIR: dataDir,
    })
    expect([nowhere.exit, nowhere.err]).toEqual([
      1,
      expect.stringContaining('There is no directory'),
    ])
  })
})

test('an unreachable database is one line, with exit code 3', async () => {
  const env = { DATABASE_URL: 'postgres://karras@127.0.0.1:1/karras', DATA_DIR: aDirectory() }
  for (const typed of [
    ['restore', file],
    ['backup', join(env.DATA_DIR, 'x.karras')],
  ]) {
    const { exit, out, err } = await runOperator(typed, env)
    expect([exit, out]).toEqual([3, ''])
    expect(err).toMatch(/^The database cannot be reached: .*$/)
  }
})

describe.runIf(canMount())('a full disk (needs root, for a small one)', () => {
  let big: string
  beforeAll(async () => {
    big = join(dataDir, 'big')
    await withShop(big, async (shop) => {
      await shop.aDocument({ file: randomBytes(200_000) })
    })
  })

  test('ends a backup with one line, and leaves nothing behind', async () => {
    const disk = aSmallDisk(64)
    const { exit, err } = await runOperator(['backup', join(disk, 'shop.karras')], {
      DATA_DIR: big,
    })
    expect([exit, err]).toEqual([1, 'The disk is full; what had been written was removed.'])
    expect(readdirSync(disk)).toEqual([])
  })

  test('ends a restore with one line, and leaves nothing behind', async () => {
    const disk = aSmallDisk(4096)
    const { exit, err } = await runOperator(['restore', file], { DATA_DIR: disk })
    expect([exit, err]).toEqual([3, expect.stringMatching(/^DATA_DIR: the disk of .* is full.*$/)])
    expect(readdirSync(disk)).toEqual(['karras.lock'])
  })
})
