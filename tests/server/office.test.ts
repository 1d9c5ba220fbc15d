import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { dinars } from '../../src/rules/money.ts'
import { findSocketDirectory } from '../../src/server/database/data-directory.ts'
import { type Database, openDatabase } from '../../src/server/database/pool.ts'
import { serverUserFor } from '../../src/server/database/server-user.ts'
import { transaction } from '../../src/server/database/transaction.ts'
import { COMMANDS } from '../../src/server/office/commands.ts'
import { walletBalance } from '../../src/server/wallet/ledger.ts'
import { purchase } from '../../src/server/wallet/purchase.ts'
import { type Factories, factories } from '../support/factories.ts'
import { cleanEnvironment, type ShopProcess, spawnShop } from '../support/shop-process.ts'

const ROOT = join(import.meta.dirname, '../..')

let dataDir: string
let shop: ShopProcess | undefined
let database: Database
let made: Factories

/** Runs the command as an operator does. */
async function office(typed: string[], env: Record<string, string> = {}) {
  const child = spawn('npm', ['run', '--silent', 'office', '--', ...typed], {
    cwd: ROOT,
    env: cleanEnvironment({ DATA_DIR: dataDir, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  await once(child, 'close')
  return { exit: child.exitCode, out, err, json: () => JSON.parse(out) }
}

async function openShop(): Promise<void> {
  shop = await spawnShop({ DATA_DIR: dataDir, DEMO: '0' }, [
    process.execPath,
    'tests/server/backend-process.ts',
  ])
  const host = findSocketDirectory(dataDir, serverUserFor(join(dataDir, 'postgres'), dataDir))
  if (!host) throw new Error('the shop has no socket')
  database = openDatabase({ host, user: 'postgres', database: 'postgres' })
  made = factories({ database, dataDir, secret: new Uint8Array(32), now: Date.now })
}

async function closeShop(): Promise<void> {
  await database.close()
  await shop?.stop()
  shop = undefined
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'karras-office-'))
  await openShop()
})
afterAll(async () => {
  if (shop) await closeShop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Somebody who has bought documents at these prices in one order. */
async function aPurchase(...prices: number[]) {
  const buyer = await made.aCustomer({
    balance: dinars(100),
    firstName: 'Amal',
    lastName: 'Ben Salah',
    email: `buyer${Math.random()}@karras.test`,
    phone: String(20_000_000 + Math.floor(Math.random() * 70_000_000)),
  })
  const documents = []
  for (const price of prices) documents.push(await made.aDocument({ price: dinars(price) }))
  const documentIds = documents.map(({ id }) => id)
  await transaction(database, (tx) => purchase(tx, { buyerId: buyer.id, documentIds }))
  const { id } = await database.kysely
    .selectFrom('orders')
    .select('id')
    .where('buyer_id', '=', buyer.id)
    .executeTakeFirstOrThrow()
  return { buyer, documents, orderId: String(id) }
}

describe('the command line', () => {
  test('helps: all commands, and each', async () => {
    const all = await office(['--help'])
    expect(all.exit).toBe(0)
    for (const { name, summary } of COMMANDS) {
      expect(all.out).toContain(name)
      expect(all.out).toContain(summary)
    }
    const one = await office(['ledger', 'check', '--help'])
    expect([one.exit, one.err]).toEqual([0, ''])
    expect(one.out).toContain('npm run --silent office -- ledger check')
  })

  test.each([
    [[], 'Usage'],
    [['dance'], 'There is no command "dance"'],
    [['refund'], 'Usage: refund <order> [document]'],
    [['refund', '1', '2', '3'], 'Usage: refund <order> [document]'],
    [['refund', 'x'], '"x" is no order'],
    [['transfers', '--quick'], "Unknown option '--quick'"],
    [['orders', '--status', 'lost'], 'allowed is pending, paid'],
  ])('says of %j what is wrong, with 2', async (typed, line) => {
    const { exit, out, err } = await office(typed)
    expect([exit, out]).toEqual([2, ''])
    expect(err).toContain(line)
    expect(err).not.toMatch(/\n\s+at /)
  })

  test('says with 3 that there is no database, and makes none', async () => {
    const nowhere = join(dataDir, 'nowhere')
    const missing = await office(['transfers'], { DATA_DIR: nowhere })
    expect([missing.exit, missing.out]).toEqual([3, ''])
    expect(missing.err).toContain(nowhere)
    expect(await readdir(dataDir)).not.toContain('nowhere')
    const away = await office(['transfers'], {
      DATABASE_URL: 'postgres://karras@127.0.0.1:1/karras',
    })
    expect([away.exit, away.out]).toEqual([3, ''])
    expect(away.err.trim().split('\n')).toHaveLength(1)
    const wrong = await office(['transfers'], { DATABASE_URL: 'what' })
    expect(wrong.exit).toBe(2)
    expect(wrong.err).toMatch(/^DATABASE_URL is/)
  })
})

describe('while the shop runs', () => {
  test('an order is shown and refunded, once, and the shop’s pages hear of it', async () => {
    const { buyer, documents, orderId } = await aPurchase(12.5, 3)
    const shown = await office(['order', `#${orderId}`])
    expect(shown.exit).toBe(0)
    expect(shown.out).toContain('paid, wallet, 15.50 TND')
    expect(shown.out).toContain(documents[0]?.title)

    const second = documents[1]
    const refunded = await office(['refund', orderId, String(second?.id), '--json'])
    expect(refunded.exit).toBe(0)
    expect(refunded.json()).toEqual({
      orderId: Number(orderId),
      total: 3,
      items: [{ documentId: second?.id, title: second?.title, price: 3 }],
    })
    expect(await walletBalance(database.kysely, buyer.id)).toBe(dinars(87.5))
    await vi.waitFor(() => expect(shop?.output()).toContain(`tag document:${second?.id}\n`))

    const again = await office(['refund', orderId, String(second?.id)])
    expect([again.exit, again.out]).toEqual([1, ''])
    expect(again.err).toMatch(/refunded before/)
    expect((await office(['refund', '999999'])).exit).toBe(1)
    expect((await office(['order', '999999'])).exit).toBe(1)
  })

  test('orders are listed, newest first, with their receipts', async () => {
    const { buyer, orderId } = await aPurchase(2)
    const { exit, json } = await office(['orders', '--email', buyer.email, '--json'])
    expect(exit).toBe(0)
    expect(json()).toMatchObject([{ id: Number(orderId), status: 'paid', total: 2 }])
    expect(json()[0].receiptNumber).toBeGreaterThan(0)
    const text = await office(['orders'])
    expect(text.out).toContain(`Amal Ben Salah <${buyer.email}>`)
  })

  test('the ledger is checked: 0 for sound, 1 for wrong', async () => {
    const sound = await office(['ledger', 'check', '--json'])
    expect([sound.exit, sound.json().sound]).toEqual([0, true])
    await database.pool.query(
      `UPDATE accounts SET balance = balance + 10
       WHERE id = (SELECT min(id) FROM accounts WHERE kind = 'customer')`,
    )
    const wrong = await office(['ledger', 'check'])
    expect(wrong.exit).toBe(1)
    expect(wrong.out).toContain('Wallets whose balance')
    await database.pool.query(
      `UPDATE accounts SET balance = balance - 10
       WHERE id = (SELECT min(id) FROM accounts WHERE kind = 'customer')`,
    )
  })
})

test('while the shop does not run, its database is started for the command', async () => {
  const { buyer, documents, orderId } = await aPurchase(7)
  await closeShop()
  // Two at once: one has the database, the other comes to it or after it.
  const [refunded, checked] = await Promise.all([
    office(['refund', orderId]),
    office(['ledger', 'check']),
  ])
  expect([refunded.exit, refunded.err]).toEqual([0, ''])
  expect([checked.exit, checked.err]).toEqual([0, ''])
  expect(await readdir(dataDir)).not.toContain('karras.pid')

  await openShop()
  expect(await walletBalance(database.kysely, buyer.id)).toBe(dinars(100))
  // What changed while it was away is the first that its pages hear.
  expect(shop?.output()).toContain(`tag document:${documents[0]?.id}\n`)
})
