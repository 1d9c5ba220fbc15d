// @one-database: it damages files.
import { createHash, randomInt } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkBackup, FORMAT, KIND, MAGIC } from '../../../src/server/backup/backup-file.ts'
import { migrate } from '../../../src/server/database/migrate.ts'
import { amount } from '../../support/amount.ts'
import { runStatement } from '../../support/database.ts'
import { runOperator } from '../../support/operator.ts'
import { aBackup, aDirectory, anEmptyDatabase, officeOutput, withShop } from './support.ts'

const SEED = Number(process.env.BACKUP_SEED ?? randomInt(2 ** 31))
const PLACES = amount('BACKUP_PLACES', { usual: 30, long: 200 })

let dataDir: string
let file: string
let whole: Buffer

beforeAll(async () => {
  const backup = await aBackup()
  dataDir = backup.dataDir
  file = backup.file
  whole = readFileSync(file)
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** Small, fast and repeatable; the quality of the numbers does not matter. */
function randomNumbers(seed: number): (below: number) => number {
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
    const missing = await runOperator(['restore', '/nowhere/file'], { DATA_DIR: aDirectory() })
    expect([missing.exit, missing.err]).toEqual([
      1,
      '/nowhere/file cannot be read: there is no such file or directory.',
    ])
    const directory = await runOperator(['restore', aDirectory()], { DATA_DIR: aDirectory() })
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

async function restoreOf(bytes: Buffer, env: Record<string, string>) {
  const path = join(aDirectory(), 'other.karras')
  writeFileSync(path, bytes)
  return await runOperator(['restore', path], env)
}

describe('a backup of another version', () => {
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
      'The backup was made by a newer Karras (9999-later is unknown here); restore it with that one.',
    ])
    expect(existsSync(target)).toBe(false)
  })

  test('whose tables do not match its migrations is refused, and nothing is left', async () => {
    const target = aDirectory()
    const { exit, err } = await restoreOf(
      withHeader(({ tables }) => void (tables as object[]).pop()),
      { DATA_DIR: target },
    )
    expect([exit, err]).toEqual([1, expect.stringContaining('nothing was restored')])
    expect(readdirSync(target)).toEqual(['karras.lock'])
  })

  test('that is older is restored as it was and migrated to this version', async () => {
    const { migrations } = await import('../../../src/server/database/migrations/index.ts')
    const url = await anEmptyDatabase()
    const old = Object.fromEntries(Object.entries(migrations).slice(0, 3))
    await migrate(url, { migrations: old })
    await runStatement(
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
