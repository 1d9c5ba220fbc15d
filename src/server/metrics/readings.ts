import { statfs } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { SECOND_MS } from '../../rules/durations.ts'
import type { PageCounts } from '../../rules/page-sources.ts'
import { DIFFERENCE_KINDS } from '../../rules/payment-states.ts'
import { DISK_NEARLY_FULL_BYTES, TROUBLES } from '../../rules/upkeep.ts'
import { sharedWork } from '../concurrency/shared-work.ts'
import type { Schema } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { PURPOSES, type Readiness } from '../http/health.ts'
import { readQueueLengths } from '../jobs/jobs.ts'
import { readTroubles } from '../troubles/troubles.ts'
import { readUpkeep } from '../waiting/waiting.ts'

/** One value of a metric, with its labels. */
export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number]

/** A metric that is read when Prometheus asks. */
export interface Reading {
  readonly name: `karras_${string}`
  readonly help: string
  readonly kind?: 'counter'
  readonly samples: readonly Sample[]
}

const alone = (value: number): Sample[] => [[{}, value]]
const inSeconds = (date: Date | null): Sample[] => (date ? alone(date.getTime() / SECOND_MS) : [])

export function ofPages(pages: PageCounts): Reading[] {
  return [
    {
      name: 'karras_pages_total',
      help: 'Pages sent, by where they came from',
      kind: 'counter',
      samples: Object.entries(pages).map(([source, count]) => [{ source }, count]),
    },
  ]
}

export function ofReadiness({ isReadyFor }: Readiness): Reading[] {
  return [
    {
      name: 'karras_ready',
      help: 'What /readyz?for= says: 1 for ready',
      samples: PURPOSES.map((purpose) => [{ for: purpose }, Number(isReadyFor(purpose))]),
    },
  ]
}

/** What this process knows by itself. */
export async function ofShop(
  { config, database: { pool }, workers, catalogue }: Deps,
  sockets: number,
): Promise<Reading[]> {
  const { documents, readAt } = catalogue.searchIndex()
  const busy = pool.totalCount - pool.idleCount
  const lanes = workers.load()
  const free = await statfs(config.dataDir).then(
    ({ bavail, bsize }) => alone(bavail * bsize),
    () => [],
  )
  return [
    {
      name: 'karras_database_pool_connections',
      help: 'Connections of this process to the database',
      samples: [
        [{ state: 'idle' }, pool.idleCount],
        [{ state: 'busy' }, busy],
      ],
    },
    {
      name: 'karras_database_pool_max_connections',
      help: 'The most connections (DATABASE_POOL)',
      samples: alone(pool.options.max),
    },
    {
      name: 'karras_database_pool_waiting',
      help: 'Callers that wait for a connection',
      samples: alone(pool.waitingCount),
    },
    { name: 'karras_sockets', help: 'Open live connections', samples: alone(sockets) },
    {
      name: 'karras_search_index_documents',
      help: 'Documents in the search index of this process',
      samples: alone(documents),
    },
    {
      name: 'karras_search_index_current_timestamp_seconds',
      help: 'When the index last had every committed change, which each search sees to',
      samples: readAt === null ? [] : alone(readAt / SECOND_MS),
    },
    {
      name: 'karras_workers_busy',
      help: 'Child processes that open a file, by lane',
      samples: lanes.map(({ lane, busy }) => [{ lane }, busy]),
    },
    {
      name: 'karras_workers_waiting',
      help: 'Files that wait for a child process, by lane',
      samples: lanes.map(({ lane, waiting }) => [{ lane }, waiting]),
    },
    { name: 'karras_disk_free_bytes', help: 'Free space in DATA_DIR', samples: free },
    {
      name: 'karras_disk_least_bytes',
      help: 'With less free space, administrators are told',
      samples: alone(DISK_NEARLY_FULL_BYTES),
    },
  ]
}

/** The newest payments alone are counted by state: a shop may have millions. */
const NEWEST_PAYMENTS = 10_000

/** The database is read once in this time, however often Prometheus asks. */
const FRESH_MS = 5 * SECOND_MS
/** A busy database answers late; Prometheus waits for 10 seconds. */
const PATIENCE_MS = 2 * SECOND_MS

/** The database's figures, and whether it answers; while it does not, only that. */
export function followDatabase(deps: Pick<Deps, 'database' | 'now'>): () => Promise<Reading[]> {
  // One reading at a time: a silent database is not asked again before the last one has ended.
  const once = sharedWork<Reading[] | null>()
  const readOrNull = () => readDatabase(deps).catch(() => null)
  const latest = new LRUCache<'all', Reading[]>({
    max: 1,
    ttl: FRESH_MS,
    async fetchMethod() {
      const late = wait(PATIENCE_MS, null, { ref: false })
      const found = await Promise.race([once('all', readOrNull), late])
      return [...(found ?? []), isUp(found !== null)]
    },
  })
  return () => latest.forceFetch('all')
}

const isUp = (up: boolean): Reading => ({
  name: 'karras_database_up',
  help: 'Whether the database has answered in time',
  samples: alone(Number(up)),
})

/** The same from every process. */
async function readDatabase({
  database: { kysely },
  now,
}: Pick<Deps, 'database' | 'now'>): Promise<Reading[]> {
  const at = now()
  const age = (since: Date | null) => (since ? Math.max(at - since.getTime(), 0) / SECOND_MS : 0)
  const queues = await readQueueLengths(kysely)
  const payments = await readPayments(kysely)
  const pending = await readPending(kysely)
  const differences = await readDifferences(kysely)
  const upkeep = await readUpkeep(kysely, at)
  const troubles = await readTroubles(kysely)
  return [
    {
      name: 'karras_queue_waiting',
      help: 'Jobs that wait, by queue: mail, failed_mail (given up), imports, clock',
      samples: queues.map(({ queue, waiting }) => [{ queue }, waiting]),
    },
    {
      name: 'karras_queue_oldest_seconds',
      help: 'How long the oldest of them has waited',
      samples: queues.map(({ queue, oldest }) => [{ queue }, age(oldest)]),
    },
    {
      name: 'karras_payments',
      help: `The newest ${NEWEST_PAYMENTS} payments by state`,
      samples: payments.map(({ status, count }) => [{ state: status }, count]),
    },
    {
      name: 'karras_payments_pending',
      help: 'Payments that wait, by provider: manual ones for an administrator',
      samples: pending.map(({ provider, count }) => [{ provider }, count]),
    },
    {
      name: 'karras_payments_pending_oldest_seconds',
      help: 'How long the oldest of them has waited',
      samples: pending.map(({ provider, oldest }) => [{ provider }, age(oldest)]),
    },
    {
      name: 'karras_payment_differences',
      help: 'Payments for which the gateway says something else, as the office lists them, by kind',
      samples: DIFFERENCE_KINDS.map((kind) => [
        { kind },
        differences.find((each) => each.kind === kind)?.count ?? 0,
      ]),
    },
    {
      name: 'karras_ledger_drift',
      help: 'Whether the last check of the ledger found differences',
      samples: upkeep.ledgerAt ? alone(Number(upkeep.ledgerWaits !== null)) : [],
    },
    {
      name: 'karras_ledger_checked_timestamp_seconds',
      help: 'When the ledger was last checked',
      samples: inSeconds(upkeep.ledgerAt),
    },
    {
      name: 'karras_backup_overdue',
      help: 'Whether the last backup is too old, or there is none yet',
      samples: alone(Number(upkeep.backupWaits !== null)),
    },
    {
      name: 'karras_backup_timestamp_seconds',
      help: 'When the last known backup was made',
      samples: inSeconds(upkeep.backupAt),
    },
    {
      name: 'karras_trouble',
      help: `What fails now, as the office shows it: ${TROUBLES.join(', ')}`,
      samples: TROUBLES.map((kind) => {
        const lasts = troubles.some(({ what, since }) => what === kind && since !== null)
        return [{ what: kind }, Number(lasts)]
      }),
    },
  ]
}

async function readPayments(db: Kysely<Schema>) {
  const newest = db.selectFrom('payments').select('status').orderBy('id', 'desc')
  return await db
    .selectFrom(newest.limit(NEWEST_PAYMENTS).as('newest'))
    .select(['status', (row) => row.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute()
}

async function readPending(db: Kysely<Schema>) {
  return await db
    .selectFrom('payments')
    .select(['provider', (row) => row.fn.countAll<number>().as('count')])
    .select(sql<Date>`min(created_at)`.as('oldest'))
    .where('status', '=', 'pending')
    .groupBy('provider')
    .execute()
}

async function readDifferences(db: Kysely<Schema>) {
  return await db
    .selectFrom('paymentDifferences')
    .select(['kind', (row) => row.fn.countAll<number>().as('count')])
    .where('outcome', 'is', null)
    .groupBy('kind')
    .execute()
}
