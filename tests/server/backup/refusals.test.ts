// @one-database: it damages files.

import { createHash, randomBytes, randomInt } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { dinars } from '../../../src/rules/money.ts'
import { FORMAT, KIND, MAGIC } from '../../../src/server/backup/format.ts'
import { checkBackup } from '../../../src/server/backup/read-backup.ts'
import { startEmbedded } from '../../../src/server/database/embedded.ts'
import { migrate } from '../../../src/server/database/migrate.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { amount } from '../../support/amount.ts'
import { operate } from '../../support/database.ts'
import { aSmallDisk, canMount } from '../../support/small-disk.ts'
import { aDirectory, anEmptyDatabase, done, inShop, office } from './support.ts'

const SEED = Number(process.env.BACKUP_SEED ?? randomInt(2 ** 31))
const PLACES = amount('BACKUP_PLACES', { usual: 30, long: 200 })

let dataDir: string
let file: string
let whole: Buffer

beforeAll(async () => {
  const { mkdtempSync, realpathSync, chmodSync } = await import('node:fs')
  const { tmpdir } = await import('node:os')
  dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'karras-refusals-')))
  chmodSync(dataDir, 0o755)
  await inShop(dataDir, async (shop) => {
    await shop.aCustomer({ email: 'kept@karras.test', balance: dinars(20) })
    for (let at = 0; at < 5; at += 1) {
      await shop.aDocument({ file: new TextEncoder().encode(`%PDF-1.4\n${'x'.repeat(at * 999)}`) })
    }
  })
  file = join(dataDir, 'shop.karras')
  await done(['backup', file], { DATA_DIR: dataDir })
  whole = readFileSync(file)
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** Small, fast and repeatable; which numbers it gives does not matter. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

async function expectRefused(bytes: Uint8Array, why: RegExp): Promise<void> {
  const directory = aDirectory()
  const damaged = join(directory, 'damaged.karras')
  writeFileSync(damaged, bytes)
  const target = join(directory, 'data')
  const { exit, out, err } = await office(['restore', damaged], { DATA_DIR: target })
  expect([exit, out]).toEqual([1, ''])
  expect(err.trim().split('\n')).toHaveLength(1)
  expect(err).toMatch(why)
  expect(existsSync(target)).toBe(false)
  expect((await office(['backup', 'check', damaged], {})).exit).toBe(1)
}

describe('a backup that is not whole is refused before anything is written', () => {
  test(`cut off at any of ${PLACES} places (seed ${SEED})`, async () => {
    const below = numbers(SEED)
    const places = [0, 1, MAGIC.length, MAGIC.length + 3, whole.length - 1]
    while (places.length < PLACES) places.push(below(whole.length))
    for (const place of places) {
      await expectRefused(whole.subarray(0, place), /is cut off|is not a backup|is damaged/)
    }
  })

  test(`a bit flipped at any of ${PLACES} places (seed ${SEED})`, async () => {
    const below = numbers(SEED + 1)
    for (let at = 0; at < PLACES; at += 1) {
      const bytes = Buffer.from(whole)
      const place = below(whole.length)
      bytes[place] = (bytes[place] ?? 0) ^ (1 << below(8))
      await expectRefused(bytes, /is cut off|is not a backup|is damaged|newer Karras/)
    }
  })

  test('with something after its end, or with two parts swapped', async () => {
    await expectRefused(Buffer.concat([whole, Buffer.from('x')]), /is damaged/)
    const [start, first, second, rest] = partsOf(whole)
    expect(Buffer.concat([start, first, second, rest])).toEqual(whole)
    await expectRefused(Buffer.concat([start, second, first, rest]), /is damaged/)
    await expectRefused(Buffer.concat([start, first, rest]), /is damaged/)
  })

  test('that is something else, a directory, or missing', async () => {
    await expectRefused(Buffer.from('%PDF-1.4'), /is not a backup/)
    const missing = await office(['restore', '/nowhere/file'], { DATA_DIR: aDirectory() })
    expect([missing.exit, missing.err]).toEqual([1, '/nowhere/file cannot be read (ENOENT).\n'])
    const directory = await office(['restore', aDirectory()], { DATA_DIR: aDirectory() })
    expect(directory.exit).toBe(1)
    expect(directory.err.trim().split('\n')).toHaveLength(1)
  })
})

/** The file cut before its first part, behind it, and behind the second. */
function partsOf(bytes: Buffer): [Buffer, Buffer, Buffer, Buffer] {
  const cuts: number[] = []
  for (let at = MAGIC.length; cuts.length < 3; ) {
    const kind = bytes.readUInt8(at)
    if (kind === KIND.part && cuts.length === 0) cuts.push(at)
    at += 5 + bytes.readUInt32BE(at + 1)
    if (kind === KIND.partEnd) cuts.push(at)
  }
  const [a = 0, b = 0, c = 0] = cuts
  return [bytes.subarray(0, a), bytes.subarray(a, b), bytes.subarray(b, c), bytes.subarray(c)]
}

/** A whole backup with another header, as another Karras would have made it. */
function withHeader(change: (header: Record<string, unknown>) => unknown): Buffer {
  const length = whole.readUInt32BE(MAGIC.length + 1)
  const at = MAGIC.length + 5
  const header = JSON.parse(whole.subarray(at, at + length).toString())
  change(header)
  const records: Buffer[] = [record(KIND.header, header)]
  const kept = createHash('sha256').update(records[0] ?? '')
  let place = at + length
  let parts = 0
  for (;;) {
    const kind = whole.readUInt8(place)
    const end = place + 5 + whole.readUInt32BE(place + 1)
    if (kind === KIND.end) break
    const block = whole.subarray(place, end)
    if (kind !== KIND.data) kept.update(block)
    if (kind === KIND.part) parts += 1
    records.push(block)
    place = end
  }
  const end = record(KIND.end, { parts, sha256: kept.digest('hex') })
  return Buffer.concat([Buffer.from(MAGIC), ...records, end])
}

function record(kind: number, content: object): Buffer {
  const payload = Buffer.from(JSON.stringify(content))
  const head = Buffer.alloc(5)
  head.writeUInt8(kind)
  head.writeUInt32BE(payload.length, 1)
  return Buffer.concat([head, payload])
}

async function restoreOf(bytes: Buffer, env: Record<string, string>) {
  const path = join(aDirectory(), 'other.karras')
  writeFileSync(path, bytes)
  return await office(['restore', path], env)
}

describe('a backup of another Karras', () => {
  test('that is newer is refused', async () => {
    const target = join(aDirectory(), 'data')
    const format = await restoreOf(
      withHeader((header) => Object.assign(header, { format: FORMAT + 1 })),
      {
        DATA_DIR: target,
      },
    )
    expect([format.exit, format.err]).toEqual([1, expect.stringContaining('newer Karras')])
    const schema = await restoreOf(
      withHeader(({ migrations }) => void (migrations as string[]).push('9999-later')),
      { DATA_DIR: target },
    )
    expect([schema.exit, schema.err]).toEqual([
      1,
      'The backup was made by a newer Karras (9999-later is unknown here); restore it with that one.\n',
    ])
    expect(existsSync(target)).toBe(false)
  })

  test('whose tables are not those of its migrations is refused, and nothing is left', async () => {
    const target = aDirectory()
    const { exit, err } = await restoreOf(
      withHeader(({ tables }) => void (tables as object[]).pop()),
      { DATA_DIR: target },
    )
    expect([exit, err]).toEqual([1, expect.stringContaining('nothing was restored')])
    expect(readdirSync(target)).toEqual(['karras.lock'])
  })

  test('that is older is restored as it was and brought to this version', async () => {
    const { migrations } = await import('../../../src/server/database/migrations/index.ts')
    const url = await anEmptyDatabase()
    const old = Object.fromEntries(Object.entries(migrations).slice(0, 3))
    await migrate(url, { migrations: old })
    await operate(
      url,
      `INSERT INTO users (email, username, first_name, last_name, role, password_hash)
       VALUES ('old@karras.test', 'old', 'Old', 'Customer', 'PARENT', 'x');
       INSERT INTO accounts (kind, user_id, balance) SELECT 'customer', id, 50 FROM users;
       WITH made AS (INSERT INTO ledger_transactions (kind) VALUES ('adjustment') RETURNING id)
       INSERT INTO ledger_entries (transaction_id, account_id, amount)
       SELECT made.id, accounts.id, CASE kind WHEN 'customer' THEN 50 ELSE -50 END
       FROM made, accounts WHERE kind IN ('customer', 'adjustments')`,
    )
    const directory = aDirectory()
    const backup = join(directory, 'old.karras')
    await done(['backup', backup], { DATABASE_URL: url, DATA_DIR: directory })
    expect((await checkBackup(backup)).header.migrations).toEqual(Object.keys(old))

    const restored = join(directory, 'restored')
    expect(await done(['restore', backup], { DATA_DIR: restored })).toContain(
      'sound: 1 transactions',
    )
    await inShop(restored, async ({ database }) => {
      const { rows } = await database.pool.query('SELECT name FROM kysely_migration ORDER BY name')
      expect(rows.map(({ name }) => name)).toEqual(Object.keys(migrations))
      const users = await database.kysely.selectFrom('users').select('email').execute()
      expect(users).toEqual([{ email: 'old@karras.test' }])
    })
  })
})

describe('a place that is not empty is refused', () => {
  test('a DATA_DIR with a shop, running or not, which stays as it is', async () => {
    const before = await office(['ledger', 'check'], { DATA_DIR: dataDir })
    const { exit, err } = await office(['restore', file], { DATA_DIR: dataDir })
    expect([exit, err]).toEqual([
      3,
      `DATA_DIR: ${dataDir} holds a shop's database already; restore into an empty directory.\n`,
    ])
    const server = await startEmbedded({ dataDir })
    onTestFinished(() => server.stop())
    const running = await office(['restore', file], { DATA_DIR: dataDir })
    expect([running.exit, running.err]).toEqual([3, expect.stringContaining('is in use')])
    expect((await office(['ledger', 'check'], { DATA_DIR: dataDir })).out).toBe(before.out)
  })

  test('a DATA_DIR with the files of a shop elsewhere, which stay', async () => {
    const target = aDirectory()
    mkdirSync(join(target, 'files', 'ab'), { recursive: true })
    writeFileSync(join(target, 'files', 'ab', 'x.pdf'), 'x')
    const { exit, err } = await office(['restore', file], { DATA_DIR: target })
    expect([exit, err]).toEqual([3, expect.stringContaining("holds a shop's files already")])
    expect(readdirSync(join(target, 'files'))).toEqual(['ab'])
  })

  test('a database with a row of a shop, a foreign table, or somebody at work in it', async () => {
    const url = await anEmptyDatabase()
    const env = { DATABASE_URL: url, DATA_DIR: aDirectory() }
    await operate(url, 'CREATE TABLE notes ()')
    expect((await office(['restore', file], env)).err).toContain('has a table notes')
    await operate(url, 'DROP TABLE notes')

    const client = new pg.Client(url)
    await client.connect()
    expect((await office(['restore', file], env)).err).toContain('in use by 1 other connections')
    await client.end()

    // A shop that was opened there and that nobody has used is as good as nothing …
    await migrate(url)
    await done(['restore', file], env)
    // … and one that was restored is not.
    const again = await office(['restore', file], env)
    expect([again.exit, again.err]).toEqual([3, expect.stringContaining('is not empty')])
  })

  test('a backup is not written over anything', async () => {
    const before = readFileSync(file)
    const again = await office(['backup', file], { DATA_DIR: dataDir })
    expect([again.exit, again.err]).toEqual([1, `${file} exists already; choose another name.\n`])
    expect(readFileSync(file)).toEqual(before)
    const nowhere = await office(['backup', join(dataDir, 'no', 'where')], { DATA_DIR: dataDir })
    expect([nowhere.exit, nowhere.err]).toEqual([
      1,
      expect.stringContaining('There is no directory'),
    ])
  })
})

test('a shop whose ledger is wrong is not kept, unless requested', async () => {
  const directory = aDirectory()
  const wrong = join(directory, 'wrong')
  await inShop(wrong, async (shop) => {
    await shop.aCustomer({ balance: dinars(20) })
    // As a damage would: past everything that guards the ledger.
    await shop.database.pool.query(
      `SET session_replication_role = replica; UPDATE accounts SET balance = balance + 10 WHERE kind = 'customer'`,
    )
  })
  const backup = join(directory, 'wrong.karras')
  await done(['backup', backup], { DATA_DIR: wrong })

  const target = join(directory, 'target')
  const refused = await office(['restore', backup], { DATA_DIR: target })
  expect([refused.exit, refused.err]).toEqual([1, ''])
  expect(refused.out).toMatch(/^Nothing was kept .*\nThe ledger is WRONG.*\nWallets whose balance/)
  expect(readdirSync(target)).toEqual(['karras.lock'])

  const kept = await office(['restore', backup, '--even-unsound'], { DATA_DIR: target })
  expect(kept.exit).toBe(1)
  expect(kept.out).toMatch(/^Restored the shop/)
  expect((await office(['ledger', 'check'], { DATA_DIR: target })).exit).toBe(1)
})

test('a file that somebody removed does not keep the rest from being backed up', async () => {
  const directory = aDirectory()
  const shop = join(directory, 'shop')
  await inShop(shop, async (made) => {
    await made.aDocument()
    await made.aDocument({ file: new TextEncoder().encode('%PDF-1.4\nother') })
  })
  const [folder = ''] = readdirSync(join(shop, 'files'))
  const [name = ''] = readdirSync(join(shop, 'files', folder))
  rmSync(join(shop, 'files', folder, name))
  const [other = ''] = readdirSync(join(shop, 'files')).filter((one) => one !== folder)
  const [damaged = ''] = readdirSync(join(shop, 'files', other))
  writeFileSync(join(shop, 'files', other, damaged), 'not what it was')

  const backup = join(directory, 'shop.karras')
  const { exit, out, err } = await office(['backup', backup], { DATA_DIR: shop })
  expect(exit).toBe(0)
  expect(out).toContain('1 files')
  expect(err).toContain(`names the file ${folder}/${name}, which is not`)
  expect(err).toContain(`${other}/${damaged} is damaged; it was backed up as it is`)
  expect(statSync(backup).size).toBeGreaterThan(1000)
})

test('a database that does not answer is one line, with 3', async () => {
  const env = { DATABASE_URL: 'postgres://karras@127.0.0.1:1/karras', DATA_DIR: aDirectory() }
  for (const typed of [
    ['restore', file],
    ['backup', join(env.DATA_DIR, 'x.karras')],
  ]) {
    const { exit, out, err } = await office(typed, env)
    expect([exit, out]).toEqual([3, ''])
    expect(err).toMatch(/^The database cannot be reached: .*\n$/)
  }
})

describe.runIf(canMount())('a disk that is full (needs root, for a small one)', () => {
  let big: string
  beforeAll(async () => {
    big = join(dataDir, 'big')
    await inShop(big, async (shop) => {
      await shop.aDocument({ file: randomBytes(200_000) })
    })
  })

  test('ends a backup with one line, and leaves nothing of it', async () => {
    const disk = aSmallDisk(64)
    const { exit, err } = await office(['backup', join(disk, 'shop.karras')], { DATA_DIR: big })
    expect([exit, err]).toEqual([1, 'The disk is full; what had been written was removed.\n'])
    expect(readdirSync(disk)).toEqual([])
  })

  test('ends a restore with one line, and leaves nothing of it', async () => {
    const disk = aSmallDisk(4096)
    const { exit, err } = await office(['restore', file], { DATA_DIR: disk })
    expect([exit, err]).toEqual([
      3,
      expect.stringMatching(/^DATA_DIR: the disk of .* is full.*\n$/),
    ])
    expect(readdirSync(disk)).toEqual(['karras.lock'])
  })
})

test('two shops that are open at once on one database are backed up like one', async () => {
  const url = await anEmptyDatabase()
  await migrate(url)
  const database = openDatabase(url)
  onTestFinished(() => database.close())
  await database.pool.query('SELECT 1')
  const directory = aDirectory()
  const out = await done(['backup', join(directory, 'a.karras'), '--json'], {
    DATABASE_URL: url,
    DATA_DIR: directory,
  })
  expect(JSON.parse(out)).toMatchObject({ files: 0, missing: [], damaged: [] })
})
