// @one-database: its shop has the embedded one.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { dinars } from '../../src/rules/money.ts'
import type { Database } from '../../src/server/database/pool.ts'
import { transaction } from '../../src/server/database/transaction.ts'
import { walletBalance } from '../../src/server/money/ledger.ts'
import { purchase } from '../../src/server/money/purchase.ts'
import { COMMANDS } from '../../src/server/office/commands.ts'
import { runOffice } from '../../src/server/office/run.ts'
import { freshDatabase, giveCluster } from '../support/database.ts'
import { openDatabaseOf } from '../support/embedded-database.ts'
import { type Factories, factories } from '../support/factories.ts'
import { outbox, smtpServer } from '../support/mail.ts'
import { PATIENCE } from '../support/patience.ts'
import { cleanEnvironment, type ShopProcess, spawnShop } from '../support/shop-process.ts'

// A process starts slowly on a busy machine.
const ROOT = join(import.meta.dirname, '../..')

let dataDir: string
let shop: ShopProcess | undefined
let database: Database
let made: Factories

/** Runs the command as an operator does, in a process of its own. */
async function spawnOffice(typed: string[], env: Record<string, string> = {}) {
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

/** The same within this process, which takes a tenth of the time. */
async function office(typed: string[], env: Record<string, string> = {}) {
  let out = ''
  let err = ''
  const exit = await runOffice(
    typed,
    { DATA_DIR: dataDir, ...env },
    { out: (line) => (out += `${line}\n`), err: (line) => (err += `${line}\n`) },
  )
  return { exit, out, err, json: () => JSON.parse(out) }
}

async function openShop(): Promise<void> {
  shop = await spawnShop(
    { DATA_DIR: dataDir, DEMO: '0' },
    { command: [process.execPath, 'tests/server/backend-process.ts'] },
  )
  database = openDatabaseOf(dataDir)
  made = factories({ database, dataDir, secret: new Uint8Array(32), now: Date.now })
}

async function closeShop(): Promise<void> {
  await database.close()
  await shop?.stop()
  shop = undefined
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'karras-office-'))
  giveCluster(dataDir)
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
    .where('buyerId', '=', buyer.id)
    .executeTakeFirstOrThrow()
  return { buyer, documents, orderId: String(id) }
}

/** How many mails have gone to this address. */
async function mailsTo(email: string): Promise<number> {
  const mails = await outbox(dataDir)
  return mails.filter(({ headers }) => headers.includes(`To: ${email}`)).length
}

describe('the command line', () => {
  test('helps: all commands, and each', async () => {
    const all = await spawnOffice(['--help'])
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
    [['refund', 'x'], '"x" is not a valid order'],
    [['confirm', 'KR-12'], '"KR-12" is not a valid reference'],
    [['transfers', '--quick'], "Unknown option '--quick'"],
    [['orders', '--status', 'lost'], 'allowed is pending, paid'],
  ])('says of %j what is wrong, with 2', async (typed, line) => {
    const { exit, out, err } = await office(typed)
    expect([exit, out]).toEqual([2, ''])
    expect(err).toContain(line)
    expect(err).not.toMatch(/\n\s+at /)
  })

  test('reports with exit code 3 that there is no database, and creates none', async () => {
    const nowhere = join(dataDir, 'nowhere')
    const missing = await spawnOffice(['transfers'], { DATA_DIR: nowhere })
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
  test('an order is shown and refunded, once, and the shop’s pages follow', async () => {
    const { buyer, documents, orderId } = await aPurchase(12.5, 3)
    const shown = await office(['order', `#${orderId}`])
    expect(shown.exit).toBe(0)
    expect(shown.out).toContain('paid, wallet, 15.50 TND')
    expect(shown.out).toContain(documents[0]?.title)

    const second = documents[1]
    const refunded = await spawnOffice(['refund', orderId, String(second?.id), '--json'])
    expect(refunded.exit).toBe(0)
    expect(refunded.json()).toEqual({
      orderId: Number(orderId),
      total: 3,
      items: [{ documentId: second?.id, title: second?.title, price: 3 }],
    })
    expect(await walletBalance(database.kysely, buyer.id)).toBe(dinars(87.5))
    await vi.waitFor(
      () => expect(shop?.output()).toContain(`tag document:${second?.id}\n`),
      PATIENCE,
    )

    // The shop sends what the command has caused.
    await expect.poll(() => mailsTo(buyer.email)).toBe(1)

    const again = await spawnOffice(['refund', orderId, String(second?.id)])
    expect([again.exit, again.out]).toEqual([1, ''])
    expect(again.err).toMatch(/refunded before/)
    expect((await office(['refund', '999999'])).exit).toBe(1)
    expect((await office(['order', '999999'])).exit).toBe(1)
  })

  test('waiting transfers are listed, oldest first', async () => {
    const none = await office(['transfers'])
    expect([none.exit, none.out]).toEqual([0, 'No transfer is waiting.\n'])
    const { buyer, orderId } = await aPurchase(2)
    const payment = {
      provider: 'manual',
      userId: buyer.id,
      amount: dinars(12.5),
      intent: 'test',
      createdAt: '2026-03-05T23:30:00Z',
      expiresAt: '2026-03-08T23:30:00Z',
    } as const
    await database.kysely
      .insertInto('payments')
      .values([
        { ...payment, reference: 'b'.repeat(24), method: 'd17', purpose: 'top_up', orderId: null },
        {
          ...payment,
          reference: 'a'.repeat(24),
          method: 'bank_transfer',
          purpose: 'order',
          orderId: Number(orderId),
          createdAt: '2026-03-04T10:00:00Z',
        },
        {
          ...payment,
          reference: 'c'.repeat(24),
          method: 'd17',
          purpose: 'top_up',
          orderId: null,
          status: 'paid',
        },
      ])
      .execute()
    const { exit, out } = await office(['transfers'])
    expect(exit).toBe(0)
    const [, transfer, d17, ...others] = out.trim().split('\n')
    expect(others).toEqual([])
    expect(transfer).toMatch(/KR-AAAA-AAAA +order \d+ +12\.50 TND +bank_transfer +2026-03-04 11:00/)
    expect(d17).toMatch(
      /KR-BBBB-BBBB +top-up +12\.50 TND +d17 +2026-03-06 00:30 +2026-03-09 00:30 +Amal/,
    )
    const { json } = await office(['transfers', '--json'])
    expect(json()).toMatchObject([
      {
        paymentRef: 'a'.repeat(24),
        readable: 'KR-AAAA-AAAA',
        amount: 12.5,
        orderId: Number(orderId),
      },
      { paymentRef: 'b'.repeat(24), createdAt: '2026-03-05T23:30:00.000Z', orderId: null },
    ])
    await database.kysely.deleteFrom('payments').execute()
  })

  test('a transfer is confirmed by the reference that people see, once', async () => {
    const buyer = await made.aCustomer({ email: 'transfers@karras.test', phone: '29000001' })
    const references = ['1a2b3c4d', '1a2b3c4e', '1a2b3c4e'].map(
      (start, at) => start + `${at}`.repeat(16),
    )
    const [first = '', second = '', third = ''] = references
    await database.kysely
      .insertInto('payments')
      .values(
        references.map((reference) => ({
          reference,
          provider: 'manual' as const,
          method: 'd17' as const,
          purpose: 'top_up' as const,
          userId: buyer.id,
          orderId: null,
          intent: reference,
          amount: dinars(30),
          expiresAt: new Date(Date.now() + 3_600_000),
        })),
      )
      .execute()
    const confirmed = await spawnOffice(['confirm', 'kr-1A2B-3C4D'])
    expect(confirmed.err).toBe('')
    expect([confirmed.exit, confirmed.out]).toEqual([
      0,
      'Confirmed KR-1A2B-3C4D: 30.00 TND for a top-up.\n',
    ])
    expect(await walletBalance(database.kysely, buyer.id)).toBe(dinars(30))
    await expect.poll(() => mailsTo(buyer.email)).toBe(1)

    const again = await office(['confirm', first])
    expect([again.exit, again.out]).toEqual([1, ''])
    expect(again.err).toContain('confirmed before')
    expect((await office(['refuse', first])).exit).toBe(1)
    expect((await office(['confirm', 'KR-FFFF-FFFF'])).exit).toBe(1)

    const ambiguous = await office(['refuse', 'KR-1A2B-3C4E'])
    expect(ambiguous.exit).toBe(1)
    expect(ambiguous.err).toContain('give the whole reference')
    const refused = await office(['refuse', second, '--json'])
    expect([refused.exit, refused.json()]).toEqual([
      0,
      { paymentRef: second, state: 'refused', amount: 30, orderId: null },
    ])
    expect((await office(['refuse', second])).exit).toBe(1)
    // The money came after all.
    expect((await office(['confirm', second])).exit).toBe(0)
    expect((await office(['confirm', third])).exit).toBe(0)
    expect(await walletBalance(database.kysely, buyer.id)).toBe(dinars(90))
    expect((await office(['ledger', 'check'])).exit).toBe(0)
  })

  test('orders are listed, newest first, with their receipts', async () => {
    const { buyer, orderId } = await aPurchase(2)
    const { exit, json } = await office(['orders', '--search', buyer.email, '--json'])
    expect(exit).toBe(0)
    expect(json()).toMatchObject([{ id: Number(orderId), status: 'paid', total: 2 }])
    expect(json()[0].receiptNumber).toBeGreaterThan(0)
    const text = await office(['orders'])
    expect(text.out).toContain(`Amal Ben Salah <${buyer.email}>`)
  })

  test('the ledger is checked: 0 for sound, 1 for wrong', async () => {
    const sound = await office(['ledger', 'check', '--json'])
    expect([sound.exit, sound.json().sound]).toEqual([0, true])
    const tamper = async (change: number) => {
      await database.pool.query(`BEGIN; ALTER TABLE accounts DISABLE TRIGGER USER;
        UPDATE accounts SET balance = balance + ${change}
        WHERE id = (SELECT min(id) FROM accounts WHERE kind = 'customer');
        ALTER TABLE accounts ENABLE TRIGGER USER; COMMIT`)
    }
    await tamper(10)
    const wrong = await office(['ledger', 'check'])
    expect(wrong.exit).toBe(1)
    expect(wrong.out).toContain('Wallets whose balance')
    await tamper(-10)
  })
})

test('the database of DATABASE_URL is the one that is worked on', async () => {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const { exit, json } = await office(['ledger', 'check', '--json'], { DATABASE_URL: fresh.url })
  expect([exit, json().transactions]).toEqual([0, 0])
  await fresh.database.pool.query("DELETE FROM kysely_migration WHERE name > '0003'")
  const older = await office(['ledger', 'check'], { DATABASE_URL: fresh.url })
  expect([older.exit, older.out]).toEqual([3, ''])
  expect(older.err).toContain('start the shop with this version first')
})

test('while the shop does not run, its database is started for the command', async () => {
  const { buyer, documents, orderId } = await aPurchase(7)
  const [first, second] = [await aPurchase(2), await aPurchase(3)]
  await closeShop()
  // Two at once: one has the database, the other comes to it or after it.
  const [refunded, checked] = await Promise.all([
    spawnOffice(['refund', orderId]),
    spawnOffice(['ledger', 'check']),
  ])
  expect([refunded.exit, refunded.err]).toEqual([0, ''])
  expect([checked.exit, checked.err]).toEqual([0, ''])
  expect(await readdir(dataDir)).not.toContain('karras.pid')

  // The mail of a command goes out with it, or waits for the shop.
  const sent = await spawnOffice(['refund', first.orderId])
  expect([sent.exit, sent.err]).toEqual([0, ''])
  expect(await mailsTo(first.buyer.email)).toBe(1)
  const server = await smtpServer({ refusals: ['451 later', '451 later'] })
  const left = await spawnOffice(['refund', second.orderId], { SMTP_URL: server.url })
  server.close()
  expect([left.exit, left.err]).toEqual([
    0,
    'Mails that wait: 1. The shop sends them when it is open.\n',
  ])

  await openShop()
  await expect.poll(() => mailsTo(second.buyer.email)).toBe(1)
  expect(await walletBalance(database.kysely, buyer.id)).toBe(dinars(100))
  // What changed while it was away is the first that its pages hear.
  expect(shop?.output()).toContain(`tag document:${documents[0]?.id}\n`)
})
