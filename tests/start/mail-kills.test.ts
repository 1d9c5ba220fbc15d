// @at-landing: it starts a shop several times.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { MINUTE_MS } from '../../src/rules/durations.ts'
import type { Database } from '../../src/server/database/pool.ts'
import { transaction } from '../../src/server/database/transaction.ts'
import { openJobs } from '../../src/server/jobs/jobs.ts'
import { LANES } from '../../src/server/jobs/queues.ts'
import { enqueueMail } from '../../src/server/mail/queue.ts'
import { amount } from '../support/amount.ts'
import { insert } from '../support/database.ts'
import { openDatabaseOf } from '../support/embedded-database.ts'
import { factories } from '../support/factories.ts'
import { smtpServer } from '../support/mail.ts'
import { spawnShop } from '../support/shop-process.ts'

const LINKS = 20
const RECEIPTS = amount('RECEIPTS', { usual: 130, long: 480 })

test(`kill -9 while ${LINKS + RECEIPTS} mails wait: all arrive, links that set a password first`, async () => {
  const server = await smtpServer({ silent: true })
  const dataDir = await mkdtemp(join(tmpdir(), 'karras-mails-'))
  onTestFinished(async () => {
    server.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const env = { DATA_DIR: dataDir, DEMO: '0', SMTP_URL: server.url }
  const shop = await spawnShop(env)
  const database = openDatabaseOf(dataDir)
  const receipts = await manyReceipts(database, dataDir)
  // All sending slots except the ones for links are blocked by receipts.
  await expect.poll(() => server.connections()).toBe(4)
  const links = new Set<string>()
  for (let index = 0; index < LINKS; index++) {
    const email = `forgetful${index}@karras.test`
    await aCustomer(database, email)
    const response = await fetch(`${shop.url}/api/auth/forgot-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })
    expect(response.status).toBe(200)
    links.add(email)
  }
  await database.close()
  await shop.kill()
  expect(server.mails).toEqual([])

  server.wake()
  const again = await spawnShop(env)
  onTestFinished(async () => {
    await again.stop()
  })
  const keys = () => server.mails.map(keyOf)
  await expect.poll(() => new Set(keys()).size, { timeout: 2 * MINUTE_MS }).toBe(LINKS + RECEIPTS)
  expect(new Set(keys())).toEqual(new Set([...links, ...receipts]))
  const lastLink = Math.max(...keys().map((key, index) => (links.has(key) ? index : -1)))
  // Mails that were sent concurrently may arrive in any order.
  const atOnce = LANES.reduce((sum, { queue, atOnce }) => sum + (queue === 'mail' ? atOnce : 0), 0)
  expect(lastLink).toBeLessThan(LINKS + atOnce)
})

/** A link is identified by its recipient, a receipt by its order. */
function keyOf({ headers, parts }: { headers: string; parts: Readonly<Record<string, string>> }) {
  return (
    /\/order\?id=\d+/.exec(parts['text/plain'] ?? '')?.[0] ??
    /^To: (\S+)$/m.exec(headers)?.[1] ??
    ''
  )
}

async function aCustomer(database: Database, email: string): Promise<number> {
  const { id } = await insert(database.kysely, 'users', {
    email,
    username: email,
    firstName: 'Amal',
    lastName: 'Ben Salah',
    phone: null,
    gender: null,
    role: 'PARENT',
    passwordHash: '-',
  })
  return id
}

/** Creates paid orders whose receipts wait to be mailed; returns their keys. */
async function manyReceipts(database: Database, dataDir: string): Promise<string[]> {
  const made = factories({ database, dataDir, secret: new Uint8Array(32), now: Date.now })
  const document = await made.aDocument()
  const buyer = await aCustomer(database, 'buyer@karras.test')
  const jobs = await openJobs({ database, report: console.error, supervise: false })
  const orders = await transaction(database, async (tx) => {
    const placed = await tx
      .insertInto('orders')
      .values(
        Array.from({ length: RECEIPTS }, () => ({
          buyerId: buyer,
          status: 'paid' as const,
          method: 'wallet',
          total: 0,
          paidAt: new Date(),
        })),
      )
      .returning('id')
      .execute()
    await tx
      .insertInto('orderItems')
      .values(placed.map(({ id }) => ({ orderId: id, documentId: document.id, price: 0 })))
      .execute()
    for (const { id } of placed) await enqueueMail(tx, jobs, 'receipt', { orderId: id })
    return placed
  })
  await jobs.stop()
  return orders.map(({ id }) => `/order?id=${id}`)
}
