import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/server/database/embedded.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { type Database, openDatabase, type PoolOptions } from '../../src/server/database/pool.ts'
import type { Schema } from '../../src/server/database/schema.ts'
import { installJobs } from '../../src/server/jobs/queues.ts'
import { afterwards } from './directory.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's server and the migrated database that tests copy. */
    databaseServer: { url: string; template: string }
    /** A `DATA_DIR` with an empty cluster, which is stopped. */
    emptyCluster: string
  }
}

/** A database for one test. */
interface FreshDatabase {
  database: Database
  /** For a second pool, a listener, or another process. */
  url: string
  /** Closes `database` and drops it, even if others are still connected. */
  drop(): Promise<void>
}

/**
 * A vitest `globalSetup`: the PostgreSQL of `DATABASE_URL`, or an embedded one, and an empty
 * cluster.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const emptyCluster = mkdtempSync(join(tmpdir(), 'karras-cluster-'))
  await (await startEmbedded({ dataDir: emptyCluster })).stop()
  project.provide('emptyCluster', emptyCluster)
  const removeServer = await setUpServer(
    project,
    process.env.DATABASE_URL
      ? { url: process.env.DATABASE_URL, stop: async () => {} }
      : await startServer(emptyCluster),
  )
  return async () => {
    await removeServer()
    rmSync(emptyCluster, { recursive: true, force: true })
  }
}

type Server = Awaited<ReturnType<typeof startServer>>

/**
 * Provides a project with a server and a migrated template database; returns the function that
 * drops everything that tests created.
 */
export async function setUpServer(
  project: TestProject,
  server: Server,
): Promise<() => Promise<void>> {
  const run = `karras_test_${randomBytes(4).toString('hex')}`
  const template = `${run}_template`
  const removeAll = async () => {
    await dropAll(server.url, run)
    await server.stop()
  }
  try {
    await runStatement(server.url, `CREATE DATABASE ${template} TEMPLATE template0 ENCODING 'UTF8'`)
    await migrate(urlOf(server.url, template))
    await withDatabase(urlOf(server.url, template), installJobs)
  } catch (error) {
    await removeAll()
    throw error
  }
  project.provide('databaseServer', { url: server.url, template })
  return removeAll
}

async function withDatabase(url: string, work: (database: Database) => Promise<void>) {
  const database = openDatabase(url, { size: 1 })
  try {
    await work(database)
  } finally {
    await database.close()
  }
}

/**
 * A copy of the migrated, empty database: takes about 60 ms, and is safe beside other test files.
 */
export async function freshDatabase(options: PoolOptions = {}): Promise<FreshDatabase> {
  const { url: server, template } = inject('databaseServer')
  const name = template.replace('template', randomBytes(6).toString('hex'))
  await runStatement(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  const url = urlOf(server, name)
  const database = openDatabase(url, options)
  return {
    database,
    url,
    async drop() {
      await database.close()
      await runStatement(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    },
  }
}

/** A fresh database that is dropped after the test, or after the file that opens it at its top. */
export async function aDatabase(): Promise<FreshDatabase> {
  const fresh = await freshDatabase()
  afterwards(() => fresh.drop())
  return fresh
}

/**
 * Puts an empty cluster into a directory that has none: creating one takes ten times as long as
 * copying and starting it. For tests that are not about a first start.
 */
export function copyCluster(dataDir: string, from = inject('emptyCluster')): void {
  const cluster = join(dataDir, 'postgres')
  if (existsSync(cluster)) return
  mkdirSync(dataDir, { recursive: true })
  execFileSync('cp', ['-a', join(from, 'postgres'), cluster])
}

/** Starts an embedded server on a copy of a cluster, in a temporary directory. */
export async function startServer(from: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'karras-test-'))
  copyCluster(dataDir, from)
  const server = await startEmbedded({
    dataDir,
    // Every test file has a pool or two; the data need not survive a crash.
    settings: { max_connections: '200', fsync: 'off', full_page_writes: 'off' },
  })
  const { host, user, database } = server.connection
  return {
    url: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
    async stop() {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function dropAll(server: string, run: string): Promise<void> {
  const { rows } = await runStatement(
    server,
    `SELECT datname AS name FROM pg_database WHERE datname LIKE '${run}%'`,
  )
  for (const { name } of rows) {
    await runStatement(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }
}

/** Runs one statement over its own connection. */
export async function runStatement(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The URL of another database on the same server. */
export function urlOf(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Resolves when so many transactions of this database wait for another one's lock. */
export async function untilLockAwaited({ kysely }: Database, count = 1): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(kysely)
    if (rows.length >= count) return
  }
}

/** Writes a row that no call writes; returns it whole. */
export function insert<T extends keyof Schema>(
  kysely: Kysely<Schema>,
  table: T,
  values: Insertable<Schema[T]>,
): Promise<Selectable<Schema[T]>> {
  const query = kysely.insertInto(table as 'users').values(values as never)
  return query.returningAll().executeTakeFirstOrThrow() as never
}
