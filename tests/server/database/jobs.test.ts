import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { DAY_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { RETENTION } from '../../../src/rules/retention.ts'
import type { Schema } from '../../../src/server/database/schema.ts'
import { cleanUp, SANDBOX_LIFETIME_MS } from '../../../src/server/jobs/clean-up.ts'
import { installJobs, openJobs, SCHEMA } from '../../../src/server/jobs/jobs.ts'
import { LANES, QUEUES, type ScheduledJob } from '../../../src/server/jobs/queues.ts'
import type { TestApp } from '../../support/app.ts'
import { insert } from '../../support/database.ts'
import { PATIENCE } from '../../support/patience.ts'
import { test } from '../../support/test.ts'

test('several instances that start at once on an empty database install the jobs once', async ({
  app,
}) => {
  const { database } = app.deps
  await sql`DROP SCHEMA ${sql.id(SCHEMA)} CASCADE`.execute(database.kysely)
  await Promise.all([1, 2, 3].map(() => installJobs(database)))
  const jobs = await openJobs({ database, report: () => {} })
  onTestFinished(() => jobs.stop())
  expect(await jobs.list('mail')).toEqual([])
})

test('each queue has workers, except that of given-up mails', () => {
  const worked = new Set<string>(LANES.map(({ queue }) => queue))
  expect(Object.keys(QUEUES).filter((queue) => !worked.has(queue))).toEqual(['failed_mail'])
})

describe('scheduled jobs', () => {
  test('run once over many instances', async ({ app }) => {
    const ran: number[] = []
    const instances = await Promise.all([0, 1, 2].map(() => anInstance(app)))
    await Promise.all(
      instances.map((jobs, index) => {
        const turn = { name: 'daily', everyMs: DAY_MS, run: async () => void ran.push(index) }
        return jobs.start({ mail: async () => {}, scheduled: [turn] as ScheduledJob[] })
      }),
    )
    await Promise.all(instances.map((jobs) => jobs.idle()))
    expect(ran).toHaveLength(1)
  })

  test('a job of several instances is done by one', async ({ app }) => {
    const instances = await Promise.all([0, 1].map(() => anInstance(app)))
    for (let number = 0; number < 40; number++) {
      await app.deps.jobs.enqueue(app.kysely, 'mail', { number })
    }
    const done: unknown[] = []
    const mail = async ({ number }: Record<string, unknown>) => void done.push(number)
    await Promise.all(instances.map((jobs) => jobs.start({ mail, scheduled: [] })))
    await Promise.all(instances.map((jobs) => jobs.idle()))
    expect(done).toHaveLength(40)
    expect(new Set(done)).toHaveProperty('size', 40)
  })

  test('a job during which the process ended twice is set aside and reported', async ({ app }) => {
    const { database } = app.deps
    const reports: string[] = []
    const given: unknown[] = []
    const done: unknown[] = []
    const first = await ending(app)
    await first.jobs.enqueue(database.kysely, 'imports', { id: 'deadly' })
    await first.begun('deadly')
    // As the only process on a database does at its start: the one before was killed.
    const second = await ending(app)
    await second.jobs.release()
    await second.begun('deadly')
    const third = await anInstance(app, (line) => void reports.push(line))
    await third.release()
    await third.enqueue(database.kysely, 'imports', { id: 'harmless' })
    await third.start({
      mail: async () => {},
      imports: async ({ id }) => void done.push(id),
      giveUpImport: async ({ id }) => void given.push(id),
      scheduled: [],
    })
    await third.idle()
    expect({ given, done }).toEqual({ given: ['deadly'], done: ['harmless'] })
    expect(reports).toEqual([
      expect.stringMatching(/given up \(imports\): 2 times the process ended/),
    ])
  })

  test('a mail does so too where its process is seen to be gone by its heartbeats', async ({
    app,
  }) => {
    const { database } = app.deps
    for (const deaths of [0, 1]) {
      const jobs = await ending(app)
      if (deaths === 0) await jobs.jobs.enqueue(database.kysely, 'mail', { id: 'deadly' })
      await jobs.begun('deadly')
      await jobs.jobs.stop(0)
      // Its other workers may still be asking for a job, and would take this one with them.
      const { pool } = database
      await vi.waitFor(() => expect(pool.idleCount).toBe(pool.totalCount), PATIENCE)
      // What the library makes of a job without heartbeats, once it has put the job back.
      await vi.waitFor(async () => {
        const { rowCount } = await pool.query(`
          UPDATE jobs.job SET start_after = now(),
            output = '{"value": {"message": "job heartbeat timeout"}}'
          WHERE name = 'mail' AND state = 'retry'`)
        expect(rowCount).toBe(1)
      }, PATIENCE)
    }
    const last = await anInstance(app)
    const sent: unknown[] = []
    await last.start({ mail: async ({ id }) => void sent.push(id), scheduled: [] })
    await last.idle()
    expect(sent).toEqual([])
    expect(await last.list('failed_mail')).toMatchObject([{ data: { id: 'deadly' } }])
  })

  test('a job that orderly stops interrupt, however often, is done in the end', async ({ app }) => {
    const { database } = app.deps
    const retry = { retryLimit: 100, retryDelay: 0 }
    for (let stop = 0; stop < 6; stop++) {
      const held = await ending(app, retry)
      if (stop === 0) await held.jobs.enqueue(database.kysely, 'imports', { id: 'long' })
      await held.begun('long')
      // Half of them notice the stop, the others are left where they are.
      if (stop % 2 === 0) held.end(new Error('stopping'))
      await held.jobs.stop(stop % 2 === 0 ? undefined : 0)
    }
    const done: unknown[] = []
    const last = await anInstance(app)
    const imports = async ({ id }: Record<string, unknown>) => void done.push(id)
    await last.start({ mail: async () => {}, imports, scheduled: [] })
    await last.idle()
    expect(done).toEqual(['long'])
  })

  test('deletes what has expired, and nothing else', async ({ app }) => {
    const { id } = await app.aCustomer()
    const document = await app.aDocument()
    const ago = (age: number) => new Date(app.deps.now() - age)
    for (const [key, age] of Object.entries({ old: RETENTION.repeatedCalls + 1000, new: 0 })) {
      const request = { userId: id, key, requestHash: '-', result: null, createdAt: ago(age) }
      await insert(app.kysely, 'idempotentRequests', request)
    }
    for (const [key, age] of Object.entries({ ended: 1000, live: -60_000 })) {
      const token = { tokenId: key, expiresAt: ago(age) }
      await insert(app.kysely, 'endedTokens', token)
      const reset = { tokenHash: hashOf(key), userId: id, expiresAt: ago(age) }
      await insert(app.kysely, 'passwordResets', reset)
    }
    for (const [mark, age] of Object.entries({ a: RETENTION.examMarks + 1000, b: 1000 })) {
      await insert(app.kysely, 'examMarks', {
        userId: id,
        id: mark.repeat(32),
        documentId: document.id,
        child: '',
        quarters: 50,
        exerciseQuarters: null,
        minutes: 60,
        satAt: ago(age),
      })
    }
    const another = await app.aDocument()
    for (const [documentId, age] of [
      [document.id, RETENTION.correctionWaits + 1000],
      [another.id, 1000],
    ] as const) {
      const wait = { userId: id, documentId, addedAt: ago(age) }
      await insert(app.kysely, 'correctionWaits', wait)
    }
    for (const [documentId, age] of [
      [document.id, RETENTION.toldCorrections + 1000],
      [another.id, 1000],
    ] as const) {
      await insert(app.kysely, 'toldCorrections', { userId: id, documentId, toldAt: ago(age) })
    }
    for (const [sessionId, documentId, age] of [
      ['anon-left', document.id, RETENTION.anonymousCarts + 1000],
      ['anon-used', document.id, RETENTION.anonymousCarts + 1000],
      ['anon-used', another.id, 1000],
    ] as const) {
      await insert(app.kysely, 'anonymousCartItems', { sessionId, documentId, addedAt: ago(age) })
    }
    await aSandboxPayment(app, id, 'a', ago(SANDBOX_LIFETIME_MS + 1000))
    await aSandboxPayment(app, id, 'b', ago(0))

    await cleanUp(app.deps)
    const left = async <Table extends keyof Schema>(table: Table) =>
      (await app.kysely
        .selectFrom(table as 'endedTokens')
        .selectAll()
        .execute()) as object[]
    expect(await left('idempotentRequests')).toMatchObject([{ key: 'new' }])
    expect(await left('passwordResets')).toMatchObject([{ tokenHash: hashOf('live') }])
    expect(await left('endedTokens')).toMatchObject([{ tokenId: 'live' }])
    expect(await left('correctionWaits')).toMatchObject([{ documentId: another.id }])
    expect(await left('toldCorrections')).toMatchObject([{ documentId: another.id }])
    expect(await left('examMarks')).toMatchObject([{ id: 'b'.repeat(32) }])
    expect(await left('sandboxPayments')).toMatchObject([{ reference: 'gateway b' }])
    expect(await left('anonymousCartItems')).toMatchObject(
      Array(2).fill({ sessionId: 'anon-used' }),
    )
  })
})

/** Another process of the shop, which works on its jobs once it is started. */
async function anInstance({ deps: { database, report } }: TestApp, reporting = report) {
  const jobs = await openJobs({ database, report: reporting })
  onTestFinished(() => jobs.stop())
  return jobs
}

/** A process that never comes to the end of its jobs, unless they are ended for it. */
async function ending(app: TestApp, retry?: { retryLimit: number; retryDelay: number }) {
  const { database, report } = app.deps
  const jobs = await openJobs({ database, report, ...(retry && { retry }) })
  const begun = new Set<unknown>()
  const { promise: stuck, reject: end } = Promise.withResolvers<void>()
  stuck.catch(() => {})
  onTestFinished(async () => {
    end(new Error('over'))
    await jobs.stop(0)
  })
  const handle = async ({ id }: Record<string, unknown>) => {
    begun.add(id)
    await stuck
  }
  return {
    jobs,
    end,
    async begun(id: string) {
      await jobs.start({ mail: handle, imports: handle, scheduled: [] })
      await vi.waitFor(() => expect(begun).toContain(id), PATIENCE)
    },
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

async function aSandboxPayment(app: TestApp, userId: number, name: string, at: Date) {
  const reference = name.repeat(24)
  await insert(app.kysely, 'payments', {
    reference,
    provider: 'sandbox',
    method: 'card',
    purpose: 'top_up',
    userId,
    orderId: null,
    amount: dinars(10),
    intent: name,
    createdAt: at,
    expiresAt: at,
  })
  await insert(app.kysely, 'sandboxPayments', {
    reference: `gateway ${name}`,
    orderReference: reference,
    amount: dinars(10),
    successUrl: '/',
    failUrl: '/',
    webhookUrl: '/',
    locale: 'ar',
  })
}
