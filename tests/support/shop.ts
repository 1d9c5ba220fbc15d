import { randomBytes, randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { inject, vi } from 'vitest'
import type { TestProject } from 'vitest/node'
import type { Millimes } from '../../src/rules/money.ts'
import { documentTag, teacherTag } from '../../src/rules/page-tags.ts'
import { runCommandLine } from '../../src/server/command-line/run.ts'
import { type Database, openDatabase } from '../../src/server/database/pool.ts'
import { walletBalance } from '../../src/server/money/ledger.ts'
import { noteCommitted, notifyOthers } from '../../src/server/publishing/changes/changes.ts'
import { runStatement, setUpServer, startServer, urlOf } from './database.ts'
import { type Factories, factories } from './factories.ts'
import { filledShop } from './filled-shop.ts'
import { PATIENCE } from './patience.ts'
import type { Person } from './people.ts'
import { spawnShop } from './shop-process.ts'

/** The key by which the shops of the tests sign. */
export const SECRET = 'a secret that only the browser tests know'

declare module 'vitest' {
  interface ProvidedContext {
    /** The demo shop, filled once: its database, and its directory of files and pages. */
    demoShop: { database: string; dataDir: string }
    /** The copy of it that test files share. */
    sharedShop: { url: string; env: CopyEnvironment }
  }
}

/**
 * A vitest `globalSetup`: a server on a copy of the filled demo shop's database, and a copy of the
 * shop that test files share; a file that needs its own shop gets another copy quickly. All pages
 * are rendered, so that no test waits for one.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { dataDir, release } = await filledShop()
  let removeServer: (() => Promise<void>) | undefined
  let shared: Copy | undefined
  const remove = async () => {
    await shared?.close()
    await removeServer?.()
    await release()
  }
  try {
    removeServer = await setUpServer(project, await startServer(dataDir))
    const { url, template } = project.getProvidedContext().databaseServer
    const database = template.replace('template', 'demo')
    // In an embedded shop every connection of ours starts in that database.
    const { pathname } = new URL(url)
    const elsewhere = urlOf(url, 'template1')
    await runStatement(elsewhere, `CREATE DATABASE ${database} TEMPLATE ${pathname.slice(1)}`)
    const demo = { database, dataDir }
    shared = await openCopy(url, demo, {})
    project.provide('demoShop', demo)
    project.provide('sharedShop', { url: shared.url, env: shared.env })
  } catch (error) {
    await remove()
    throw error
  }
  return remove
}

/** A copy of the demo shop, in a process of its own. */
interface Copy {
  readonly url: string
  /** The environment it was started with. */
  readonly env: CopyEnvironment
  /** Closes it and removes everything that it created. */
  close(): Promise<void>
}

interface CopyEnvironment extends Record<string, string> {
  DATABASE_URL: string
  DATA_DIR: string
}

async function openCopy(
  server: string,
  demo: { database: string; dataDir: string },
  more: Record<string, string>,
): Promise<Copy> {
  const name = demo.database.replace('demo', randomBytes(6).toString('hex'))
  await runStatement(server, `CREATE DATABASE ${name} TEMPLATE ${demo.database}`)
  const dataDir = await mkdtemp(join(tmpdir(), 'karras-shop-'))
  const cluster = join(demo.dataDir, 'postgres')
  await cp(demo.dataDir, dataDir, { recursive: true, filter: (path) => path !== cluster })
  const env = { DATABASE_URL: urlOf(server, name), DATA_DIR: dataDir, JWT_SECRET: SECRET, ...more }
  const shop = await spawnShop(env)
  return {
    url: shop.url,
    env,
    async close() {
      await shop.stop()
      await runStatement(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The number from which a file that shares the shop counts, so that names are unique in it. */
async function nextThousand(database: Database): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    SELECT nextval(pg_get_serial_sequence('users', 'id')) AS id`.execute(database.kysely)
  return 1000 * Number(rows[0]?.id)
}

/** The demo shop, open, with a database that tests may write to through the factories. */
export interface OpenShop extends Factories {
  readonly url: string
  readonly database: Database
  /** Its `DATA_DIR`. */
  readonly dataDir: string
  balanceOf(customer: { id: number }): Promise<Millimes>
  /** Makes an API call as a person, like another device of theirs. */
  send(
    person: Pick<Person, 'token'>,
    method: string,
    path: string,
    body?: object,
    // biome-ignore lint/suspicious/noExplicitAny: the caller knows the type.
  ): Promise<{ status: number; body: any }>
  /** A purchase from the wallet, over HTTP. */
  buys(customer: Person, documentIds: number[], how?: { code: string }): Promise<void>
  /** Runs an operator's command, such as `confirm`; returns its output, or throws its error. */
  office(...typed: string[]): Promise<string>
  /** Makes a call of the office by the operator's command line. */
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows the type.
  call(name: string, ...typed: string[]): Promise<any>
  /** Closes it and removes everything that it created. */
  close(): Promise<void>
}

/**
 * The demo shop that test files share; with `own`, its additional environment, a copy for one test
 * file.
 */
export async function openShop(own?: Record<string, string>): Promise<OpenShop> {
  const shop: Copy = own
    ? await openCopy(inject('databaseServer').url, inject('demoShop'), own)
    : { ...inject('sharedShop'), close: async () => {} }
  const { env } = shop
  const dataDir = env.DATA_DIR
  const database = openDatabase(env.DATABASE_URL)
  const send: OpenShop['send'] = async (person, method, path, body) => {
    const response = await fetch(`${shop.url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${person.token}`,
        'idempotency-key': randomUUID(),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : null }
  }
  // A shop that has just opened may be too busy for calls: browsers come later.
  await vi.waitFor(async () => {
    const { status } = await fetch(`${shop.url}/api/category`)
    if (status !== 200) throw new Error(`the shop answers ${status}`)
  }, PATIENCE)
  const made = factories({
    database,
    dataDir,
    secret: new TextEncoder().encode(SECRET),
    now: Date.now,
    firstNumber: own ? 0 : await nextThousand(database),
  })
  async function office(...typed: string[]) {
    const out: string[] = []
    const err: string[] = []
    const exit = await runCommandLine(typed, env, {
      out: (line) => void out.push(line),
      err: (line) => void err.push(line),
    })
    if (exit !== 0) throw new Error([...out, ...err].join('\n'))
    return out.join('\n')
  }
  return {
    ...made,
    // The shop renders pages in the background: one rendered between two inserts would lack the
    // second for good.
    async aDocument(wish) {
      const document = await made.aDocument(wish)
      const changed = [documentTag(document.id), teacherTag(document.teacherId)]
      await noteCommitted(database.kysely, { changed, soon: [] })
      await notifyOthers(database.kysely, 'pages', 'factories')
      return document
    },
    url: shop.url,
    database,
    dataDir,
    balanceOf: ({ id }) => walletBalance(database.kysely, id),
    send,
    async buys(customer, documentIds, how) {
      const asked = { userId: customer.id, documentIds, ...how }
      const pay = (acceptedTerms?: number) =>
        send(customer, 'POST', '/wallet/pay', { ...asked, acceptedTerms })
      let answer = await pay()
      if (answer.body?.error === 'terms_not_accepted') answer = await pay(answer.body.terms)
      if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
    },
    office,
    call: async (name, ...typed) =>
      JSON.parse(await office('call', name, ...typed, '--yes', '--json')),
    async close() {
      await database.close()
      await shop.close()
    },
  }
}
