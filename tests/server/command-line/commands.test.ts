// @one-database: its shop has the embedded one.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { dinars } from '../../../src/rules/money.ts'
import { COMMANDS } from '../../../src/server/command-line/run.ts'
import { walletBalance } from '../../../src/server/money/ledger.ts'
import { copyCluster, freshDatabase } from '../../support/database.ts'
import { openDatabaseOf } from '../../support/embedded-database.ts'
import { factories } from '../../support/factories.ts'
import { outbox, smtpServer } from '../../support/mail.ts'
import { runOperator, withoutMailNote } from '../../support/operator.ts'
import { PATIENCE } from '../../support/patience.ts'
import { bought } from '../../support/payments.ts'
import { cleanEnvironment, spawnShop } from '../../support/shop-process.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** The shop of a directory in a process of its own, and its database. */
async function openShop(dataDir: string) {
  const shop = await spawnShop(
    { DATA_DIR: dataDir, DEMO: '0' },
    { command: [process.execPath, 'tests/server/chat/backend-process.ts'] },
  )
  const database = openDatabaseOf(dataDir)
  const made = factories({ database, dataDir, secret: new Uint8Array(32), now: Date.now })
  return { shop, database, made }
}

type OperatedShop = Awaited<ReturnType<typeof anOperatedShop>>

/** A shop in a process of its own, and its operator's commands; `end` stops and deletes it. */
async function anOperatedShop() {
  const dataDir = await mkdtemp(join(tmpdir(), 'karras-office-'))
  copyCluster(dataDir)
  let running = await openShop(dataDir)
  let isOpen = true

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
    err = withoutMailNote(err.split('\n')).join('\n')
    return { exit: child.exitCode, out, err, json: () => JSON.parse(out) }
  }

  /** Runs the command within this process, which takes a tenth of the time. */
  const office = (typed: string[], env: Record<string, string> = {}) =>
    runOperator(typed, { DATA_DIR: dataDir, ...env })

  /** A customer who has bought documents at these prices in one order. */
  async function aPurchase(...prices: number[]) {
    const { made, database } = running
    const buyer = await made.aCustomer({
      balance: dinars(100),
      firstName: 'Amal',
      lastName: 'Ben Salah',
      email: `buyer${Math.random()}@karras.test`,
      phone: String(20_000_000 + Math.floor(Math.random() * 70_000_000)),
    })
    const documents = await made.documentsAt(...prices)
    const orderId = await bought({ deps: { database } }, buyer, documents)
    return { buyer, documents, orderId: String(orderId) }
  }

  /** The number of mails sent to this address. */
  async function mailsTo(email: string): Promise<number> {
    const mails = await outbox(dataDir)
    return mails.filter(({ headers }) => headers.includes(`To: ${email}`)).length
  }

  async function open(): Promise<void> {
    running = await openShop(dataDir)
    isOpen = true
  }

  async function close(): Promise<void> {
    await running.database.close()
    await running.shop.stop()
    isOpen = false
  }

  return {
    dataDir,
    get database() {
      return running.database
    },
    get made() {
      return running.made
    },
    /** The output of the running process. */
    output: () => running.shop.output(),
    spawnOffice,
    office,
    aPurchase,
    mailsTo,
    open,
    close,
    async end() {
      if (isOpen) await close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

let shop: OperatedShop
beforeAll(async () => {
  shop = await anOperatedShop()
})
afterAll(() => shop.end())

describe('while the shop runs', () => {
  test('an order is shown and refunded, once, and the shop’s pages follow', async () => {
    const { buyer, documents, orderId } = await shop.aPurchase(12.5, 3)
    const shown = await shop.office(['call', 'getShopOrder', `id=${orderId}`])
    expect(shown.exit).toBe(0)
    expect(shown.out).toContain('total: 15.5')
    expect(shown.out).toContain(documents[0]?.title)

    const second = documents[1]
    const refunded = await shop.spawnOffice(['refund', orderId, String(second?.id), '--json'])
    expect(refunded.exit).toBe(0)
    expect(refunded.json()).toEqual({
      orderId: Number(orderId),
      total: 3,
      items: [{ documentId: second?.id, title: second?.title, price: 3 }],
    })
    expect(await walletBalance(shop.database.kysely, buyer.id)).toBe(dinars(87.5))
    await vi.waitFor(
      () => expect(shop.output()).toContain(`tag document:${second?.id}\n`),
      PATIENCE,
    )

    // The shop sends the mails that the command caused.
    await expect.poll(() => shop.mailsTo(buyer.email)).toBe(1)

    const again = await shop.spawnOffice(['refund', orderId, String(second?.id)])
    expect([again.exit, again.out]).toEqual([1, ''])
    expect(again.err).toMatch(/refunded before/)
    expect((await shop.office(['refund', '999999'])).exit).toBe(1)
  })

  test('a transfer is confirmed by its public reference, once', async () => {
    const buyer = await shop.made.aCustomer({ email: 'transfers@karras.test', phone: '29000001' })
    const [first, second, third] = [
      `1a2b3c4d${'0'.repeat(16)}`,
      `1a2b3c4e${'1'.repeat(16)}`,
      `1a2b3c4e${'2'.repeat(16)}`,
    ] as const
    await shop.database.pool.query(
      `INSERT INTO payments
         (reference, provider, method, purpose, user_id, intent, amount, expires_at)
       SELECT each, 'manual', 'd17', 'top_up', $1, each, 30000, now() + interval '1 hour'
       FROM unnest($2::text[]) AS each`,
      [buyer.id, [first, second, third]],
    )
    const confirmed = await shop.spawnOffice(['confirm', 'kr-1A2B-3C4D'])
    expect(confirmed.err).toBe('')
    const said = 'Confirmed KR-1A2B-3C4D: 30.00 TND for a top-up.\n'
    expect([confirmed.exit, confirmed.out]).toEqual([0, said])
    expect(await walletBalance(shop.database.kysely, buyer.id)).toBe(dinars(30))
    await expect.poll(() => shop.mailsTo(buyer.email)).toBe(1)

    const again = await shop.office(['confirm', first])
    expect([again.exit, again.out]).toEqual([1, ''])
    expect(again.err).toContain('confirmed before')
    expect((await shop.office(['refuse', first])).exit).toBe(1)
    expect((await shop.office(['confirm', 'KR-FFFF-FFFF'])).exit).toBe(1)

    const ambiguous = await shop.office(['refuse', 'KR-1A2B-3C4E'])
    expect(ambiguous.exit).toBe(1)
    expect(ambiguous.err).toContain('give the whole reference')
    const refused = await shop.office(['refuse', second, '--json'])
    const payment = { paymentRef: second, state: 'refused', amount: 30, orderId: null }
    expect([refused.exit, refused.json()]).toEqual([0, payment])
    expect((await shop.office(['refuse', second])).exit).toBe(1)
    // The money came after all.
    expect((await shop.office(['confirm', second])).exit).toBe(0)
    expect((await shop.office(['confirm', third])).exit).toBe(0)
    expect(await walletBalance(shop.database.kysely, buyer.id)).toBe(dinars(90))
    expect((await shop.office(['ledger', 'check'])).exit).toBe(0)
  })

  test('the ledger is checked: 0 if it is sound, 1 if it is wrong', async () => {
    const sound = await shop.office(['ledger', 'check', '--json'])
    expect([sound.exit, sound.json().sound]).toEqual([0, true])
    const tamper = async (change: number) => {
      await shop.database.pool.query(`BEGIN; ALTER TABLE accounts DISABLE TRIGGER USER;
        UPDATE accounts SET balance = balance + ${change}
        WHERE id = (SELECT min(id) FROM accounts WHERE kind = 'customer');
        ALTER TABLE accounts ENABLE TRIGGER USER; COMMIT`)
    }
    await tamper(10)
    const wrong = await shop.office(['ledger', 'check'])
    expect(wrong.exit).toBe(1)
    expect(wrong.out).toContain('Wallets whose balance')
    await tamper(-10)
  })
})

describe('the command line', () => {
  test('prints help: for all commands, and for each', async () => {
    const all = await shop.spawnOffice(['--help'])
    expect(all.exit).toBe(0)
    for (const { name, summary } of COMMANDS) {
      expect(all.out).toContain(name)
      expect(all.out).toContain(summary)
    }
    const one = await shop.office(['ledger', 'check', '--help'])
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
    [['mails', '--quick'], "Unknown option '--quick'"],
    [['user', '1', 'dance'], 'allowed is block, unblock'],
  ])('explains what is wrong with %j, with exit code 2', async (typed, line) => {
    const { exit, out, err } = await shop.office(typed)
    expect([exit, out]).toEqual([2, ''])
    expect(err).toContain(line)
    expect(err).not.toMatch(/\n\s+at /)
  })

  test('reports with exit code 3 that there is no database, and creates none', async () => {
    const nowhere = join(shop.dataDir, 'nowhere')
    const missing = await shop.spawnOffice(['mails'], { DATA_DIR: nowhere })
    expect([missing.exit, missing.out]).toEqual([3, ''])
    expect(missing.err).toContain(nowhere)
    expect(await readdir(shop.dataDir)).not.toContain('nowhere')
    const elsewhere = { DATABASE_URL: 'postgres://karras@127.0.0.1:1/karras' }
    const away = await shop.office(['mails'], elsewhere)
    expect([away.exit, away.out]).toEqual([3, ''])
    expect(away.err.trim().split('\n')).toHaveLength(1)
    const wrong = await shop.office(['mails'], { DATABASE_URL: 'what' })
    expect(wrong.exit).toBe(2)
    expect(wrong.err).toMatch(/^DATABASE_URL is/)
  })
})

test('uses the database of DATABASE_URL', async () => {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const env = { DATABASE_URL: fresh.url }
  const { exit, json } = await shop.office(['ledger', 'check', '--json'], env)
  expect([exit, json().transactions]).toEqual([0, 0])
  await fresh.database.pool.query("DELETE FROM kysely_migration WHERE name > '0003'")
  const older = await shop.office(['ledger', 'check'], env)
  expect([older.exit, older.out]).toEqual([3, ''])
  expect(older.err).toContain('start the shop with this version first')
})

test('starts the database itself while the shop does not run', async () => {
  const { buyer, documents, orderId } = await shop.aPurchase(7)
  const [first, second] = [await shop.aPurchase(2), await shop.aPurchase(3)]
  await shop.close()
  // Two at once: one has the database, the other joins or runs after it.
  const [refunded, checked] = await Promise.all([
    shop.spawnOffice(['refund', orderId]),
    shop.spawnOffice(['ledger', 'check']),
  ])
  expect([refunded.exit, refunded.err]).toEqual([0, ''])
  expect([checked.exit, checked.err]).toEqual([0, ''])
  expect(await readdir(shop.dataDir)).not.toContain('karras.pid')

  // A command's mail is sent with it, or waits for the shop.
  const sent = await shop.spawnOffice(['refund', first.orderId])
  expect([sent.exit, sent.err]).toEqual([0, ''])
  expect(await shop.mailsTo(first.buyer.email)).toBe(1)
  const server = await smtpServer({ refusals: ['451 later', '451 later'] })
  const left = await shop.spawnOffice(['refund', second.orderId], { SMTP_URL: server.url })
  server.close()
  expect(left.exit).toBe(0)
  expect(left.err.split('\n')).toEqual([
    expect.stringMatching(/^Mail fails since .* 451 later$/),
    'Mails that wait: 1. The shop sends them when it is open.',
    '',
  ])

  await shop.open()
  await expect.poll(() => shop.mailsTo(second.buyer.email)).toBe(1)
  expect(await walletBalance(shop.database.kysely, buyer.id)).toBe(dinars(100))
  // Its pages receive first what changed while it was down.
  expect(shop.output()).toContain(`tag document:${documents[0]?.id}\n`)
})
