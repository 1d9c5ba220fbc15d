// @one-database: it damages files.
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { checkBackup, FORMAT, KIND, MAGIC } from '../../../src/server/backup/backup-file.ts'
import { startEmbedded } from '../../../src/server/database/embedded.ts'
import { migrate } from '../../../src/server/database/migrate.ts'
import { amount } from '../../support/amount.ts'
import { runStatement } from '../../support/database.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { runOperator } from '../../support/operator.ts'
import { aSmallDisk, canMount } from '../../support/small-disk.ts'
import { aBackup, anEmptyDatabase, expectFailure, officeOutput, withShop } from './support.ts'

const SEED = Number(process.env.BACKUP_SEED ?? randomInt(2 ** 31))
const PLACES = amount('BACKUP_PLACES', { usual: 30, long: 200 })

const { dataDir, file } = await aBackup()
const whole = readFileSync(file)

/** Small, fast and repeatable; the quality of the numbers does not matter. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

async function expectRefused(bytes: Uint8Array, why: RegExp): Promise<void> {
  const directory = temporaryDirectory()
  const damaged = join(directory, 'damaged.karras')
  writeFileSync(damaged, bytes)
  const target = join(directory, 'data')
  const { exit, out, err } = await runOperator(['restore', damaged], { DATA_DIR: target })
  expect([exit, out]).toEqual([1, ''])
  expect(err.trim().split('\n')).toHaveLength(1)
  expect(err).toMatch(why)
  expect(existsSync(target)).toBe(false)
  expect((await runOperator(['backup', 'check', damaged], {})).exit).toBe(1)
}

describe('a corrupt backup is refused before anything is written', () => {
  test(`truncated at any of ${PLACES} places (seed ${SEED})`, async () => {
    const below = randomNumbers(SEED)
    const places = [0, 1, MAGIC.length, MAGIC.length + 3, whole.length - 1]
    while (places.length < PLACES) places.push(below(whole.length))
    for (const place of places) {
      await expectRefused(whole.subarray(0, place), /is cut off|is not a backup|is damaged/)
    }
  })

  test(`a bit flipped at any of ${PLACES} places (seed ${SEED})`, async () => {
    const below = randomNumbers(SEED + 1)
    for (let at = 0; at < PLACES; at += 1) {
      const bytes = Buffer.from(whole)
      const place = below(whole.length)
      bytes[place] = (bytes[place] ?? 0) ^ (1 << below(8))
      await expectRefused(bytes, /is cut off|is not a backup|is damaged|newer Karras/)
    }
  })

  test('with trailing bytes, or with two parts swapped', async () => {
    await expectRefused(Buffer.concat([whole, Buffer.from('x')]), /is damaged/)
    const [start, first, second, rest] = partsOf(whole)
    expect(Buffer.concat([start, first, second, rest])).toEqual(whole)
    await expectRefused(Buffer.concat([start, second, first, rest]), /is damaged/)
    await expectRefused(Buffer.concat([start, first, rest]), /is damaged/)
  })

  test('that is another file type, a directory, or missing', async () => {
    await expectRefused(Buffer.from('%PDF-1.4'), /is not a backup/)
    await expectFailure(['restore', '/nowhere/file'], { DATA_DIR: temporaryDirectory() }, [
      1,
      '/nowhere/file cannot be read: there is no such file or directory.',
    ])
    const directory = await runOperator(['restore', temporaryDirectory()], {
      DATA_DIR: temporaryDirectory(),
    })
    expect(directory.exit).toBe(1)
    expect(directory.err.trim().split('\n')).toHaveLength(1)
  })
})

/** The file split before its first part, after it, and after the second. */
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

/** A complete backup with another header, as another version of Karras would write it. */
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

/** Writes a backup; returns the command that restores it. */
function restoring(bytes: Buffer): string[] {
  const path = join(temporaryDirectory(), 'other.karras')
  writeFileSync(path, bytes)
  return ['restore', path]
}

describe('a backup of another version', () => {
  test('that is newer, or of 0.1, is refused', async () => {
    const target = join(temporaryDirectory(), 'data')
    const format = withHeader((header) => Object.assign(header, { format: FORMAT + 1 }))
    const newer = expect.stringContaining('newer Karras')
    await expectFailure(restoring(format), { DATA_DIR: target }, [1, newer])
    const later = withHeader(({ migrations }) => (migrations as string[]).push('9999-later'))
    await expectFailure(restoring(later), { DATA_DIR: target }, [
      1,
      'The backup was made by a newer Karras (9999-later is unknown here); restore it with that one.',
    ])
    const first = withHeader((header) => Object.assign(header, { migrations: ['0001-shop'] }))
    await expectFailure(restoring(first), { DATA_DIR: target }, [
      1,
      expect.stringContaining('is of Karras 0.1: read it with that version'),
    ])
    expect(existsSync(target)).toBe(false)
  })

  test('whose tables do not match its migrations is refused, and nothing is left', async () => {
    const target = temporaryDirectory()
    const fewer = withHeader(({ tables }) => (tables as object[]).pop())
    const nothing = expect.stringContaining('nothing was restored')
    await expectFailure(restoring(fewer), { DATA_DIR: target }, [1, nothing])
    expect(readdirSync(target)).toEqual(['karras.lock'])
  })

  test('that is older is restored as it was and migrated to this version', async () => {
    const { migrations } = await import('../../../src/server/database/migrations/index.ts')
    const url = await anEmptyDatabase()
    const old = Object.fromEntries(Object.entries(migrations).slice(0, -1))
    await migrate(url, { migrations: old })
    await runStatement(
      url,
      `INSERT INTO users (email, username, first_name, last_name, role, password_hash)
       VALUES ('old@karras.test', 'old', 'Old', 'Customer', 'PARENT', 'x');
       INSERT INTO accounts (kind, user_id, balance) SELECT 'customer', id, 0 FROM users;
       WITH made AS (INSERT INTO ledger_transactions (kind) VALUES ('adjustment') RETURNING id)
       INSERT INTO ledger_entries (transaction_id, account_id, amount)
       SELECT made.id, accounts.id, CASE kind WHEN 'customer' THEN 50 ELSE -50 END
       FROM made, accounts WHERE kind IN ('customer', 'adjustments')`,
    )
    const directory = temporaryDirectory()
    const backup = join(directory, 'old.karras')
    await officeOutput(['backup', backup], { DATABASE_URL: url, DATA_DIR: directory })
    expect((await checkBackup(backup)).header.migrations).toEqual(Object.keys(old))

    const restored = join(directory, 'restored')
    expect(await officeOutput(['restore', backup], { DATA_DIR: restored })).toContain(
      'sound: 1 transaction, 2 entries',
    )
    await withShop(restored, async ({ database }) => {
      const { rows } = await database.pool.query('SELECT name FROM kysely_migration ORDER BY name')
      expect(rows.map(({ name }) => name)).toEqual(Object.keys(migrations))
      const users = await database.kysely.selectFrom('users').select('email').execute()
      expect(users).toEqual([{ email: 'old@karras.test' }])
    })
  })
})

describe('a target that is not empty is refused', () => {
  test('a DATA_DIR with a shop, running or not, which stays unchanged', async () => {
    const before = await runOperator(['ledger', 'check'], { DATA_DIR: dataDir })
    await expectFailure(['restore', file], { DATA_DIR: dataDir }, [
      3,
      `DATA_DIR: ${dataDir} holds a shop's database already; restore into an empty directory.`,
    ])
    const server = await startEmbedded({ dataDir })
    onTestFinished(() => server.stop())
    const inUse = expect.stringContaining('is in use')
    await expectFailure(['restore', file], { DATA_DIR: dataDir }, [3, inUse])
    expect((await runOperator(['ledger', 'check'], { DATA_DIR: dataDir })).out).toBe(before.out)
  })

  test('a DATA_DIR with the files of a shop elsewhere, which stay', async () => {
    const target = temporaryDirectory()
    mkdirSync(join(target, 'files', 'ab'), { recursive: true })
    writeFileSync(join(target, 'files', 'ab', 'x.pdf'), 'x')
    const already = expect.stringContaining("holds a shop's files already")
    await expectFailure(['restore', file], { DATA_DIR: target }, [3, already])
    expect(readdirSync(join(target, 'files'))).toEqual(['ab'])
  })

  test('a database with a row of a shop, a foreign table, or an open session', async () => {
    const url = await anEmptyDatabase()
    const env = { DATABASE_URL: url, DATA_DIR: temporaryDirectory() }
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
    const filled = expect.stringContaining('is not empty')
    await expectFailure(['restore', file], env, [3, filled])
  })

  test('a backup never overwrites anything', async () => {
    const before = readFileSync(file)
    const env = { DATA_DIR: dataDir }
    const exists = `${file} exists already; choose another name.`
    await expectFailure(['backup', file], env, [1, exists])
    expect(readFileSync(file)).toEqual(before)
    const nowhere = expect.stringContaining('There is no directory')
    await expectFailure(['backup', join(dataDir, 'no', 'where')], env, [1, nowhere])
  })
})

test('an unreachable database is one line, with exit code 3', async () => {
  const env = {
    DATABASE_URL: 'postgres://karras@127.0.0.1:1/karras',
    DATA_DIR: temporaryDirectory(),
  }
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
    const full = 'The disk is full; what had been written was removed.'
    await expectFailure(['backup', join(disk, 'shop.karras')], { DATA_DIR: big }, [1, full])
    expect(readdirSync(disk)).toEqual([])
  })

  test('ends a restore with one line, and leaves nothing behind', async () => {
    const disk = aSmallDisk(4096)
    const full = expect.stringMatching(/^DATA_DIR: the disk of .* is full.*$/)
    await expectFailure(['restore', file], { DATA_DIR: disk }, [3, full])
    expect(readdirSync(disk)).toEqual(['karras.lock'])
  })
})
