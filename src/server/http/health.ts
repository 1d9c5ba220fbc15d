import { statfs } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { SECOND_MS } from '../../rules/durations.ts'
import { DISK_TOO_FULL_BYTES } from '../../rules/upkeep.ts'
import { sharedWork } from '../concurrency/shared-work.ts'
import { isMigrated } from '../database/migrate.ts'
import { StartError } from '../database/start-error.ts'
import type { Deps } from '../deps.ts'

/** Answers `/healthz` and `/readyz`; false for any other address. */
export type Health = (
  request: IncomingMessage,
  response: ServerResponse,
  isStopping: boolean,
) => boolean

/**
 * What the shop can serve, from least to most: stored pages are sent without the database, and calls
 * that only read are answered by one that only reads.
 */
export const PURPOSES = ['pages', 'calls', 'writes'] as const
type Purpose = (typeof PURPOSES)[number]

/**
 * What must work before the shop can serve, by name, and the least that needs it; a check rejects
 * with the reason.
 */
export type Checks = Readonly<
  Record<string, { readonly neededFor: Purpose; readonly check: () => Promise<unknown> }>
>

/** What the checks found: each is `ok`, or describes the problem. */
export interface Readiness {
  readonly checks: Readonly<Record<string, string>>
  isReadyFor(purpose: Purpose): boolean
}

/** Runs the checks, at most once in `FRESH_MS`. */
export type ReadReadiness = () => Promise<Readiness>

// The checks run only once in this time, however many requests arrive.
const FRESH_MS = SECOND_MS
// A busy database answers late; supervisors wait longer than this, HAProxy's example three seconds.
const PATIENCE_MS = 2 * SECOND_MS
const LATE = 'no answer in time'

export function readinessBy(checks: Checks): ReadReadiness {
  const latest = new LRUCache<'all', Readiness>({
    max: 1,
    ttl: FRESH_MS,
    async fetchMethod() {
      const found = await runAll(checks)
      return {
        checks: found,
        isReadyFor(purpose) {
          const needed = PURPOSES.slice(0, PURPOSES.indexOf(purpose) + 1)
          // Pages are sent without the database: one that is silent keeps nobody from them.
          const enough = purpose === 'pages' ? ['ok', LATE] : ['ok']
          return Object.entries(checks).every(
            ([name, { neededFor }]) =>
              enough.includes(found[name] ?? '') || !needed.includes(neededFor),
          )
        },
      }
    },
  })
  return () => latest.forceFetch('all')
}

/**
 * The two addresses for supervisors of the shop. `/healthz`: the process is alive, whatever else is
 * broken; it checks nothing. `/readyz`: 200 if pages can be served; `/readyz?for=calls` and
 * `?for=writes` ask for more. Else 503, with all checks; 503 also while the shop stops, so that a
 * load balancer sends no new requests.
 */
export function createHealth(readReadiness: ReadReadiness): Health {
  return (request, response, isStopping) => {
    const [path, query] = request.url?.split('?', 2) ?? []
    if (path !== '/healthz' && path !== '/readyz') return false
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      send(response, 405, { status: 'method_not_allowed' })
    } else if (path === '/healthz') send(response, 200, { status: 'alive' })
    else if (isStopping) send(response, 503, { status: 'stopping', checks: {} })
    else {
      const purpose = PURPOSES.find((each) => query === `for=${each}`) ?? 'pages'
      void readReadiness().then(({ checks, isReadyFor }) => {
        const isReady = isReadyFor(purpose)
        send(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'not_ready', checks })
      })
    }
    return true
  }
}

async function runAll(checks: Checks): Promise<Readiness['checks']> {
  const outcomes = await Promise.all(
    Object.entries(checks).map(
      async ([name, { check }]) => [name, await outcomeOf(check)] as const,
    ),
  )
  return Object.fromEntries(outcomes)
}

function outcomeOf(check: () => Promise<unknown>): Promise<string> {
  const outcome = check().then(
    () => 'ok',
    (error) => (error instanceof NotReady ? error.message : 'failed'),
  )
  return Promise.race([outcome, wait(PATIENCE_MS, LATE, { ref: false })])
}

/** The reason why a check fails; the message is public. */
export class NotReady extends Error {
  override readonly name = 'NotReady'
}

function send(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...(status === 503 && { 'retry-after': '5' }),
    })
    .end(response.req.method === 'HEAD' ? undefined : JSON.stringify(body))
}

/**
 * The requirements of a shop with its own backend: the database, its migrations, that it accepts
 * writes, space in `DATA_DIR`, and the storage of files.
 */
export function shopChecks({
  database,
  config,
  files,
}: Pick<Deps, 'database' | 'config' | 'files'>): Checks {
  const once = sharedWork<boolean>()
  const askMigrations = () => once('migrations', () => isMigrated(database))
  return {
    database: {
      neededFor: 'calls',
      check: () =>
        askMigrations().catch((error) => {
          // The database does answer, but was migrated by a newer Karras.
          if (!(error instanceof StartError)) throw new NotReady('cannot be reached')
        }),
    },
    migrations: {
      neededFor: 'pages',
      async check() {
        const isCurrent = await askMigrations().catch((error) => {
          // The content of an unreachable database is checked once it answers.
          if (!(error instanceof StartError)) return true
          throw new NotReady('of a newer version')
        })
        if (!isCurrent) throw new NotReady('not those of this version')
      },
    },
    writing: {
      neededFor: 'writes',
      async check() {
        const { rows } = await sql<{ isReadOnly: boolean }>`
          SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly"`
          .execute(database.kysely)
          .catch(() => ({ rows: [] }))
        if (rows[0]?.isReadOnly !== false) throw new NotReady('not possible')
      },
    },
    disk: { neededFor: 'writes', check: () => checkDisk(config.dataDir) },
    storage: {
      neededFor: 'writes',
      check: () =>
        files.look().catch(() => {
          throw new NotReady('cannot be used')
        }),
    },
  }
}

/** Throws `NotReady` if less than `needed` bytes are free in a directory. */
export async function checkDisk(directory: string, needed = DISK_TOO_FULL_BYTES): Promise<void> {
  const { bavail, bsize } = await statfs(directory).catch(() => {
    throw new NotReady('DATA_DIR cannot be read')
  })
  if (bavail * bsize < needed) throw new NotReady('DATA_DIR is nearly full')
}
