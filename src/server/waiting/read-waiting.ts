import { type Kysely, sql } from 'kysely'
import type { WaitingGroup, WaitingItem, WaitingKind } from '../../contract/office-desk.ts'
import type { Schema } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { readTroubles } from '../troubles/troubles.ts'
import { queuesFor } from './queues.ts'
import { readUpkeep, type Upkeep } from './upkeep.ts'

/** How many items of each kind are named. */
const NAMED = 3

interface Row {
  readonly kind: WaitingKind
  readonly count: number
  readonly id: string
  readonly name: string
  readonly amount: number | null
  readonly since: Date
}

/** What waits for staff, by kind; the kind whose oldest item waits longest comes first. */
export async function readWaiting(
  { database: { kysely }, now }: Pick<Deps, 'database' | 'now'>,
  userId: number,
): Promise<{ groups: WaitingGroup[]; upkeep: Upkeep }> {
  const rows = await readQueues(kysely, userId, now())
  const upkeep = await readUpkeep(kysely, now())
  const troubles = await readTroubles(kysely)
  const groups = [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, oldest]) =>
    groupOf(kind, oldest),
  )
  return {
    groups: [
      ...groups,
      ...alone('backup', upkeep.backupWaits),
      ...alone('ledger', upkeep.ledgerWaits),
      ...troubles.flatMap(({ what, since, reason }) => alone(what, since, reason)),
    ].sort((one, other) => Date.parse(one.since) - Date.parse(other.since)),
    upkeep,
  }
}

/** The oldest items of each kind and their number, in one round trip. */
async function readQueues(db: Kysely<Schema>, userId: number, now: number): Promise<Row[]> {
  const queues = Object.entries(queuesFor({ userId, now })).map(
    ([kind, queue]) => sql`(
      SELECT ${kind}::text AS kind, count(*) OVER ()::integer AS count, waits.*
      FROM (${queue}) AS waits (id, name, amount, since) ORDER BY since, id LIMIT ${NAMED})`,
  )
  const { rows } = await sql<Row>`${sql.join(queues, sql` UNION ALL `)}`.execute(db)
  return rows.sort((one, other) => one.since.getTime() - other.since.getTime())
}

function groupOf(kind: WaitingKind, oldest: readonly Row[]): WaitingGroup {
  const items = oldest.map(itemOf)
  return { kind, count: oldest[0]?.count ?? 0, since: items[0]?.since ?? '', items }
}

function itemOf({ id, name, amount, since }: Row): WaitingItem {
  return { id, name, ...(amount !== null && { amount }), since: since.toISOString() }
}

/** The group of a kind that has at most one item, without a name. */
function alone(kind: WaitingKind, since: Date | null, reason?: string): WaitingGroup[] {
  if (!since) return []
  return [{ kind, count: 1, since: since.toISOString(), items: [], ...(reason && { reason }) }]
}
