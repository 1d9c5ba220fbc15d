import { describe, expect, onTestFinished } from 'vitest'
import { forgotPassword } from '../../../src/contract/accounts.ts'
import { dinars } from '../../../src/rules/money.ts'
import { startWork } from '../../../src/server/background-jobs.ts'
import { mailCommands } from '../../../src/server/command-line/mails.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { QUEUES } from '../../../src/server/jobs/queues.ts'
import { enqueueMail, MAIL_KINDS } from '../../../src/server/mail/queue.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { smtpServer } from '../../support/mail.ts'
import { bought } from '../../support/payments.ts'
import { test } from '../../support/test.ts'
import { pay } from '../../support/wallet.ts'

const RECIPIENT = /^To: (\S+)$/m

/** Runs an office command. */
async function office(app: TestApp, name: string, ...args: string[]) {
  const command = mailCommands.find((one) => one.name === name)
  const options = { all: args[0] === '--all' || undefined }
  const typed = args.filter((arg) => !arg.startsWith('--'))
  const silent = { warn: () => {}, progress: () => {} }
  return command?.run(app.deps, { args: typed, options }, silent)
}

describe('a queued mail', () => {
  test('exists once its transaction is committed, and not if it is rolled back', async ({
    app,
  }) => {
    const buyer = await app.aCustomer({ balance: dinars(10) })
    const { jobs, database } = app.deps
    const undone = transaction(database, async (tx) => {
      await enqueueMail(tx, jobs, 'password_reset', { email: buyer.email, locale: 'ar' })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await jobs.list('mail')).toEqual([])
    await pay(app, buyer, await app.documentsAt(3))
    expect(await jobs.list('mail')).toMatchObject([{ data: { kind: 'receipt', orderId: 1 } }])
  })

  test('sends no NOTIFY, which all commits would wait for', async ({ app }) => {
    const { rows } = await app.deps.database.pool.query(`
      SELECT (SELECT count(*) FROM jobs.queue) AS queues,
        (SELECT count(*) FROM jobs.queue WHERE notify) AS notifying,
        (SELECT count(*) FROM pg_trigger
          WHERE tgrelid::regclass::text LIKE 'jobs.%' AND NOT tgisinternal) AS triggers`)
    expect(rows).toEqual([{ queues: Object.keys(QUEUES).length, notifying: 0, triggers: 0 }])
  })

  test('contains no token that opens an account', async ({ app }) => {
    const { email } = await app.aCustomer()
    await app.call(forgotPassword, { body: { email, locale: 'fr' } })
    expect(await app.deps.jobs.list('mail')).toMatchObject([
      { data: { kind: 'password_reset', email, locale: 'fr' } },
    ])
    const tokens = app.kysely.selectFrom('passwordResets').selectAll()
    expect(await tokens.execute()).toEqual([])
    await app.runJobs()
    expect(await tokens.execute()).toHaveLength(1)
  })

  test('is sent before everything less urgent, regardless of its origin', async () => {
    const { app, server } = await shopWithMailServer()
    const { buyer, orderId } = await aPaidOrder(app)
    await manyReceipts(app, orderId, 50)
    const asking = await app.aCustomer()
    await app.call(forgotPassword, { body: { email: asking.email } })
    await app.runJobs()
    const recipients = server.mails.map(({ headers }) => RECIPIENT.exec(headers)?.[1])
    expect(recipients).toHaveLength(51)
    // Some are sent concurrently.
    expect(recipients.indexOf(asking.email)).toBeLessThan(6)
    expect(new Set(recipients)).toEqual(new Set([buyer.email, asking.email]))
  })

  test('overtakes 1 060 of one account, also while the mail server hangs', async () => {
    const { app, server } = await shopWithMailServer({ silent: true })
    const { orderId } = await aPaidOrder(app)
    await manyReceipts(app, orderId, 1060)
    const stopWork = await startWork(app.deps, [])
    onTestFinished(() => stopWork())
    // Every shared sending slot hangs.
    await expect.poll(() => server.connections()).toBe(4)

    const asking = await app.aCustomer()
    const answer = await app.request('POST', '/api/auth/forgot-password', {
      body: { email: asking.email },
    })
    expect(answer.status).toBe(200)
    await expect.poll(() => server.connections()).toBe(5)
    server.wake()
    await expect.poll(() => server.mails.length).toBeGreaterThan(20)
    const recipients = server.mails.map(({ headers }) => RECIPIENT.exec(headers)?.[1])
    // Nothing precedes it but what is tried together with it.
    expect(recipients).toContain(asking.email)
    expect(recipients.indexOf(asking.email)).toBeLessThan(6)
  })

  test('is rate-limited per account if it costs the account nothing', async ({ app }) => {
    const [one, other] = [await app.aCustomer(), await app.aCustomer()]
    const { database, jobs } = app.deps
    const most = MAIL_KINDS.payment_waiting.perHour ?? 0
    for (let index = 0; index < most + 5; index++) {
      const data = { userId: one.id, reference: `r${index}` }
      await enqueueMail(database.kysely, jobs, 'payment_waiting', data)
    }
    const data = { userId: other.id, reference: 'r' }
    await enqueueMail(database.kysely, jobs, 'payment_waiting', data)
    expect(await jobs.list('mail')).toHaveLength(most + 1)
    await database.pool.query(`UPDATE mail_counts SET window_ends_at = now() - interval '1 s'`)
    await enqueueMail(database.kysely, jobs, 'payment_waiting', { userId: one.id, reference: 's' })
    expect(await jobs.list('mail')).toHaveLength(most + 2)
  })

  test('is retried, given up in the end, shown to the operator and sent again', async () => {
    const refusals = ['451 one', '451 two', '451 three']
    const { app, server } = await shopWithMailServer({ refusals })
    const { email } = await app.aCustomer()
    expect((await office(app, 'mails'))?.lines).toEqual([
      `Mails go to ${new URL(server.url).host}.`,
      'Mails that wait: 0.',
      'No mail was given up.',
    ])
    await app.call(forgotPassword, { body: { email } })
    await app.runJobs()
    expect(server.mails).toEqual([])
    const [job] = await app.deps.jobs.list('failed_mail')
    const shown = (await office(app, 'mails'))?.lines.join('\n') ?? ''
    for (const part of [job?.id.slice(0, 8), 'password_reset', email, '451 three']) {
      expect(shown).toContain(part)
    }
    await expect(office(app, 'mails send', 'ffffffff')).rejects.toThrow('has the id')
    await expect(office(app, 'mails send')).rejects.toThrow('--all')
    expect((await office(app, 'mails send', job?.id.slice(0, 8) ?? ''))?.json).toEqual({ sent: 1 })
    await app.runJobs()
    expect(server.mails).toHaveLength(1)
    expect(await app.deps.jobs.list('failed_mail')).toEqual([])
    expect((await office(app, 'mails send', '--all'))?.json).toEqual({ sent: 0 })
  })

  test('moves to another database as plain data', async () => {
    const [app, other] = [await testApp(), await testApp()]
    const { email } = await app.aCustomer()
    await other.aCustomer({ email })
    await app.call(forgotPassword, { body: { email, locale: 'en' } })
    const waiting = JSON.parse(JSON.stringify(await app.deps.jobs.exportWaiting()))
    await transaction(other.deps.database, (tx) => other.deps.jobs.importWaiting(tx, waiting))
    expect(await other.deps.jobs.exportWaiting()).toEqual(waiting)
    expect(await other.mails()).toHaveLength(1)
  })
})

async function shopWithMailServer(options: Parameters<typeof smtpServer>[0] = {}) {
  const server = await smtpServer(options)
  const app = await testApp({ env: { SMTP_URL: server.url } })
  onTestFinished(() => server.close())
  return { app, server }
}

async function aPaidOrder(app: TestApp) {
  const buyer = await app.aCustomer({ balance: dinars(10) })
  const orderId = await bought(app, buyer, await app.documentsAt(3))
  await app.deps.database.pool.query('DELETE FROM jobs.job')
  return { buyer, orderId }
}

async function manyReceipts(app: TestApp, orderId: number, count: number): Promise<void> {
  const { database, jobs } = app.deps
  await transaction(database, async (tx) => {
    for (let index = 0; index < count; index++) await enqueueMail(tx, jobs, 'receipt', { orderId })
  })
}
