import type { Kysely } from 'kysely'
import type { Closing } from '../../../contract/office-closings.ts'
import { tunisianDay } from '../../../rules/tunisia-time.ts'
import type { Schema } from '../../database/schema.ts'
import { lock, transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { canonicalJson } from '../../http/idempotency.ts'
import { actorNames, logStaff } from '../../staff-log/staff-log.ts'
import { type DaySums, sumsOfDay } from './sums.ts'

interface Closed {
  readonly id: number
  readonly actor: string
  readonly closedAt: Date
  readonly sums: unknown
}

/** A day's sums and balances, and who has closed it. */
export async function readClosing(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  day: string,
): Promise<Closing> {
  const { kysely } = database
  const sums = await sumsOfDay(kysely, day)
  const closed = await closingsOf(kysely, day)
  const names = await actorNames(
    kysely,
    closed.map(({ actor }) => actor),
  )
  return {
    day,
    isComplete: day < tunisianDay(new Date(now())),
    lines: [...sums.lines],
    balances: [...sums.balances],
    difference: sums.difference,
    closedBy: closed.map((closing) => ({
      id: closing.id,
      by: names.get(closing.actor) ?? closing.actor,
      at: closing.closedAt.toISOString(),
      isSame: isSame(closing, sums),
    })),
  }
}

/**
 * Records that `actor` has closed a day. `seen` is the id of the last closing they were shown: throws
 * `done_before` where the sums have not changed since the last one, or a newer one exists, and
 * `day_not_over` for days to come.
 */
export async function closeDay(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  { day, seen, actor }: { day: string; seen?: number | null; actor: string },
): Promise<void> {
  const at = new Date(now())
  if (day > tunisianDay(at)) throw fault('day_not_over')
  await transaction(database, async (tx) => {
    await lock(tx, `closing of ${day}`)
    const sums = await sumsOfDay(tx, day)
    const [last] = await closingsOf(tx, day)
    if (last && (isSame(last, sums) || (seen !== undefined && seen !== last.id))) {
      const names = await actorNames(tx, [last.actor])
      const by = names.get(last.actor) ?? last.actor
      const message = `${day} was closed before, by ${by}.`
      throw fault('done_before', { done: { by, at: last.closedAt.toISOString() }, message })
    }
    await tx
      .insertInto('dayClosings')
      .values({ day, closedAt: at, actor, sums: JSON.stringify(sums) })
      .execute()
    await logStaff(tx, { actor, action: 'close day', subject: { kind: `day ${day}` } })
  })
}

function closingsOf(db: Kysely<Schema>, day: string): Promise<Closed[]> {
  return db
    .selectFrom('dayClosings')
    .select(['id', 'actor', 'closedAt', 'sums'])
    .where('day', '=', day)
    .orderBy('id', 'desc')
    .execute()
}

/** Whether a closing has the same sums; a line that it lacks is a difference only if money moved. */
function isSame(closed: Closed, sums: DaySums): boolean {
  const known = new Set((closed.sums as DaySums).lines.map(({ line }) => line))
  const lines = sums.lines.filter(({ line, count }) => known.has(line) || count > 0)
  return canonicalJson(closed.sums) === canonicalJson({ ...sums, lines })
}
