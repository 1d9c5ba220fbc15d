import type { Kysely } from 'kysely'
import { fromKysely, PgBoss, type Queue as QueueSettings } from 'pg-boss'
import { SECOND_MS } from '../../rules/durations.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { QUEUES, RESCUE_EVERY_MS, SCHEMA, SWEEP_EVERY_MS } from './queues.ts'

/** Makes or updates the library's own tables; instances that start at once wait for each other. */
export async function installJobs(database: Database): Promise<void> {
  const boss = bossOf(database, { migrate: true })
  await boss.start()
  const queues: [string, Omit<QueueSettings, 'name'>][] = Object.entries(QUEUES)
  for (const [name, { policy, ...settings }] of queues) {
    await boss.createQueue(name, { policy, ...settings })
    // One of an earlier version has that version's settings.
    await boss.updateQueue(name, settings)
  }
  await boss.stop({ graceful: false, close: false })
}

/** The library reads its own rows by the columns' own names. */
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
    // Turns are counted in seconds, which its own schedules are not.
    schedule: false,
  })
  // Without a listener an error would end the process.
  boss.on('error', () => {})
  return boss
}
