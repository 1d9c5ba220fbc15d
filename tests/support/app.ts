import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Selectable, Updateable } from 'kysely'
import { create } from 'superstruct'
import { onTestFinished } from 'vitest'
import { requestFor } from '../../src/client/api.ts'
import { type AnyCall, errorCodesOf, type Input, type Result } from '../../src/contract/call.ts'
import type { ErrorCode } from '../../src/contract/errors.ts'
import type { Millimes } from '../../src/rules/money.ts'
import { createPasswords } from '../../src/server/accounts/accounts.ts'
import { type App, type AppOptions, buildApp } from '../../src/server/backend.ts'
import { startWork } from '../../src/server/background-jobs.ts'
import { openMail, openSms } from '../../src/server/carriers/carriers.ts'
import { openCatalogue } from '../../src/server/catalogue/catalogue.ts'
import { readConfig } from '../../src/server/config/config.ts'
import { openListener } from '../../src/server/database/listen.ts'
import type { Schema } from '../../src/server/database/schema.ts'
import type { Deps } from '../../src/server/deps.ts'
import { openVisitCounts } from '../../src/server/figures/figures.ts'
import { openStorage } from '../../src/server/files/files.ts'
import { openGateway } from '../../src/server/gateways/open-gateway.ts'
import { createIdentify } from '../../src/server/http/identity.ts'
import { TIMEOUTS } from '../../src/server/http/listener.ts'
import { openJobs } from '../../src/server/jobs/jobs.ts'
import { createMetrics } from '../../src/server/metrics/metrics.ts'
import { walletBalance } from '../../src/server/money/ledger.ts'
import { openPayments } from '../../src/server/money/money.ts'
import { openWorkers } from '../../src/server/workers/workers.ts'
import { freshDatabase } from './database.ts'
import { type Factories, factories, type Person } from './factories.ts'
import { outbox, type ReadMail } from './mail.ts'
import { promised } from './promised.ts'

/** A response as received over HTTP. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Parsed if it was JSON, otherwise text; undefined if it was empty. */
  readonly body: unknown
}

/** An error response; `call` throws it. */
export class RefusedCall extends Error {
  readonly status: number
  readonly body: unknown

  constructor({ status, body }: Answer) {
    super(`${status} ${JSON.stringify(body)}`)
    this.status = status
    this.body = body
  }

  /** The stable error code. */
  get code(): unknown {
    return (this.body as { error?: unknown } | undefined)?.error
  }
}

interface Caller {
  /** The caller; logged out if omitted. */
  as?: Person | { token: string } | null
  /** The `Idempotency-Key`. */
  key?: string
}

export interface RawRequest extends Caller {
  headers?: Record<string, string>
  /** A string or bytes are sent as they are, anything else as JSON. */
  body?: unknown
}

export interface TestApp extends Factories {
  readonly app: App
  readonly deps: Deps
  /** The database, for what no call reads or writes. */
  readonly kysely: Deps['database']['kysely']
  /** For a command line, or another process. */
  readonly databaseUrl: string
  /** Such as `http://127.0.0.1:34567`. */
  readonly url: string
  /** The tags that the publisher received, in order. */
  readonly published: string[]
  /** The messages that the operator received. */
  readonly reports: readonly string[]
  /** Lines of the log, parsed. A test that makes the server fail removes them. */
  readonly log: Record<string, unknown>[]
  /** Moves the server's clock. */
  travel(milliseconds: number): void
  /**
   * Makes a call over real HTTP and validates its response against the contract; throws
   * `RefusedCall`. Amounts are in dinars both ways, as on the wire.
   */
  call<C extends AnyCall>(call: C, input: Caller & Input<C>): Promise<Result<C>>
  /** Sends any request; `path` from the root, such as `/api/documents`. */
  request(method: string, path: string, raw?: RawRequest): Promise<Answer>
  /** A row as the database has it. */
  row<T extends keyof Schema>(table: T, id: number | string): Promise<Selectable<Schema[T]>>
  /** Changes a row in a way that no call does. */
  change<T extends keyof Schema>(
    table: T,
    id: number | string,
    values: Updateable<Schema[T]>,
  ): Promise<unknown>
  /** The balance of a customer's wallet. */
  balanceOf(customer: { id: number }): Promise<Millimes>
  /** Runs the queued jobs until none is due. */
  runJobs(): Promise<void>
  /** The mails written so far, oldest first. */
  mails(): Promise<ReadMail[]>
  stop(): Promise<void>
}

type TestAppOptions = AppOptions & { env?: Record<string, string>; deps?: Partial<Deps> }

/**
 * A server on its own database, on a free port of this machine. It stops at the end of the test
 * that opened it; in `beforeAll`, return its `stop`.
 */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'karras-'))
  const fresh = await freshDatabase()
  const published: string[] = []
  const log: Record<string, unknown>[] = []
  const reports: string[] = []
  let offset = 0
  const publish = (tags: readonly string[]) => void published.push(...tags)
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, ...options.env })
  const report = (line: string) => void reports.push(line)
  // Retries follow at once.
  const retry = { retryLimit: 2, retryDelay: 0, retryBackoff: false }
  const jobs = await openJobs({ database: fresh.database, report, supervise: false, retry })
  const listener = openListener(fresh.url)
  const now = () => Date.now() + offset
  const metrics = createMetrics()
  const noting = { config, database: fresh.database, now, report }
  const secret = new TextEncoder().encode('a secret that only the tests know')
  // What a test gives in place of it also serves what is opened on it.
  const { database = fresh.database } = options.deps ?? {}
  const deps: Deps = {
    config,
    database,
    listener,
    publisher: { changed: publish, changedSoon: publish },
    files: await openStorage(config),
    workers: openWorkers(fresh.database),
    jobs,
    mail: openMail(noting),
    sms: openSms({ ...noting, config }),
    gateway: openGateway(config.payment, {
      ...noting,
      siteUrl: config.siteUrl,
      onResult: metrics.onGatewayResult,
    }),
    metrics,
    payments: openPayments(database),
    passwords: createPasswords(),
    visits: openVisitCounts({ database: fresh.database, now }),
    catalogue: openCatalogue(database.kysely),
    identify: createIdentify({ database, secret, now }),
    report,
    secret,
    now,
    ...options.deps,
  }
  const app = await buildApp(deps, {
    overloadDelay: 0,
    // Closes the kept-alive connections of `fetch` at once.
    timeouts: { ...TIMEOUTS, linger: 0 },
    log: { write: (line) => void log.push(JSON.parse(line)) },
    ...options,
  })
  const url = await app.listen()
  const { kysely } = deps.database

  const request: TestApp['request'] = async (method, path, raw = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: headersOf(raw),
      body: bodyOf(raw.body),
      redirect: 'manual',
    })
    return { status: response.status, headers: response.headers, body: await readBody(response) }
  }
  // Background work runs only in tests that ask for it.
  let working: Promise<() => Promise<void>> | undefined
  const runJobs = async () => {
    working ??= startWork(deps, [])
    await working
    await jobs.idle()
  }
  const stop = async () => {
    await app.stop()
    await working?.then((stopWork) => stopWork())
    await deps.visits.close()
    await deps.workers.close()
    await jobs.stop()
    deps.mail.close()
    await listener.close()
    await fresh.drop()
    await rm(dataDir, { recursive: true, force: true })
    const unexpected = log.filter(({ level }) => Number(level) >= 50)
    if (unexpected.length > 0) throw new Error(`the server logged ${JSON.stringify(unexpected)}`)
  }
  stopWithTest(stop)

  return {
    ...factories({ ...deps, dataDir }),
    app,
    deps,
    kysely,
    databaseUrl: fresh.url,
    url,
    published,
    reports,
    log,
    travel: (milliseconds) => {
      offset += milliseconds
    },
    runJobs,
    async mails() {
      await runJobs()
      return outbox(dataDir)
    },
    request,
    async call(call, { as, key, ...input }) {
      const { query: _query, body: _body, ...asItIs } = call
      const made = requestFor(asItIs, input)
      const answer = await request(made.method, `/api${made.path}`, {
        as,
        key,
        headers: made.headers,
        body: made.bytes ?? made.body,
      })
      if (answer.status >= 300) {
        const refused = refusalOf(call, answer)
        if (answer.status === 500) refused.message += ` ${JSON.stringify(log.at(-1))}`
        throw refused
      }
      create(answer.body, promised(call.result))
      return answer.body as Result<typeof call>
    },
    // Each of these tables has an `id`.
    row: async (table, id) => {
      const row = kysely.selectFrom(table as 'users').where('id', '=', id as number)
      return (await row.selectAll().executeTakeFirstOrThrow()) as never
    },
    change: (table, id, values) =>
      kysely
        .updateTable(table as 'users')
        .set(values as object)
        .where('id', '=', id as number)
        .execute(),
    balanceOf: ({ id }) => walletBalance(deps.database.kysely, id),
    stop,
  }
}

/**
 * The refusal of a call; buyers' pages have messages for the codes that a call declares, and no
 * others.
 */
function refusalOf(call: AnyCall, answer: Answer): Error {
  const refused = new RefusedCall(answer)
  const isOfBuyers = call.caller === 'anyone' || call.caller === 'user'
  const isDeclared = errorCodesOf(call).has(refused.code as ErrorCode)
  if (!isOfBuyers || isDeclared || answer.status >= 500) return refused
  return new Error(`${call.path} answered ${refused.code}, which the contract does not declare`)
}

function headersOf({ as, key, body, headers }: RawRequest): Record<string, string> {
  return {
    ...(as ? { authorization: `Bearer ${as.token}` } : {}),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  }
}

function bodyOf(body: unknown): string | Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined || typeof body === 'string') return body
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  return response.headers.get('content-type')?.startsWith('application/json')
    ? JSON.parse(text)
    : text
}

function stopWithTest(stop: () => Promise<void>): void {
  try {
    onTestFinished(stop)
  } catch {
    // Not within a test: `beforeAll` returns `stop`.
  }
}
