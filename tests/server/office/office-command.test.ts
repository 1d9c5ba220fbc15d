// @one-database: its shop has the embedded one.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { dinars } from '../../../src/rules/money.ts'
import { walletBalance } from '../../../src/server/money/ledger.ts'
import { COMMANDS } from '../../../src/server/office/run.ts'
import { freshDatabase } from '../../support/database.ts'
import { smtpServer } from '../../support/mail.ts'
import { anOperatedShop, type OperatedShop } from '../../support/operated-shop.ts'

let shop: OperatedShop
beforeAll(async () => {
  shop = await anOperatedShop()
})
afterAll(() => shop.end())

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
    const away = await shop.office(['mails'], {
      DATABASE_URL: 'postgres://karras@127.0.0.1:1/karras',
    })
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
  const { exit, json } = await shop.office(['ledger', 'check', '--json'], {
    DATABASE_URL: fresh.url,
  })
  expect([exit, json().transactions]).toEqual([0, 0])
  await fresh.database.pool.query("DELETE FROM kysely_migration WHERE name > '0003'")
  const older = await shop.office(['ledger', 'check'], { DATABASE_URL: fresh.url })
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
