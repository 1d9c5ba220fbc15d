import { type Kysely, sql } from 'kysely'
import { fromKysely, PgBoss, type Queue as QueueSettings } from 'pg-boss'
import { SECOND_MS } from '../../rules/durations.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { LANES, QUEUES, RESCUE_EVERY_MS, SCHEMA, SWEEP_EVERY_MS } from './queues.ts'

/**
 * Creates or updates the library's tables; instances that start at the same time wait for each
 * other.
 */
export async function installJobs(database: Database): Promise<void> {
  const boss = bossOf(database, { migrate: true })
  await boss.start()
  const queues: [string, Omit<QueueSettings, 'name'>][] = Object.entries(QUEUES)
  for (const [name, { policy, ...settings }] of queues) {
    await boss.createQueue(name, { policy, ...settings })
    // A queue of an earlier version still has that version's settings.
    await boss.updateQueue(name, settings)
  }
  await boss.stop({ graceful: false, close: false })
}

/** A database for the library, which reads columns by their plain names, not in camel case. */
export function ownColumns(db: Kysely<Schema>) {
  return fromKysely(db.withoutPlugins())
}

export function bossOf(
  { kysely }: Pick<Database, 'kysely'>,
  { migrate = false, supervise = false } = {},
) {
  const boss = new PgBoss({
    db: ownColumns(kysely),
    schema: SCHEMA,
    migrate,
    supervise,
    superviseIntervalSeconds: RESCUE_EVERY_MS / SECOND_MS,
    monitorIntervalSeconds: RESCUE_EVERY_MS / SECOND_MS,
    maintenanceIntervalSeconds: SWEEP_EVERY_MS / SECOND_MS,
    // The library's schedules are in minutes; our timed tasks need seconds.
    schedule: false,
  })
  // Without a listener an error would end the process.
  boss.on('error', () => {})
  return boss
}

/** Whether any job is due or running. */
export async function isAnyDue(db: Kysely<Schema>): Promise<boolean> {
  // Not now(), the start of the transaction: a job that was requeued since is due, too.
  const { rows } = await sql<{ isDue: boolean }>`
    SELECT EXISTS (
      SELECT FROM ${sql.id(SCHEMA, 'job')}
      WHERE name = ANY (${LANES.map(({ queue }) => queue)}::text[])
        AND (state = 'active' OR (state IN ('created', 'retry') AND start_after <= clock_timestamp()))
    ) AS "isDue"`.execute(db)
  return rows[0]?.isDue ?? false
}
