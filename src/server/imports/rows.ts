import { type Kysely, type Selectable, sql } from 'kysely'
import type { Import } from '../../contract/office-imports.ts'
import { DAY_MS, MINUTE_MS } from '../../rules/durations.ts'
import type { Schema } from '../database/schema.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { oldest } from '../uploads/uploads.ts'

export type ImportRow = Selectable<Schema['imports']>

/** The states of an import that is running or queued. */
export const UNDER_WAY = ['checking', 'importing'] as const

/** The account's latest import that was not cancelled. */
export async function lastImport(
  db: Kysely<Schema>,
  userId: number,
): Promise<ImportRow | undefined> {
  return await db
    .selectFrom('imports')
    .selectAll()
    .where('userId', '=', userId)
    .where('phase', '<>', 'given_up')
    .orderBy('begunAt', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function presentImport(row: ImportRow): Import {
  const { id, name, phase, step, done, total, problems, problemCount } = row
  const { created, changed, unchanged } = row
  return {
    id,
    name,
    phase,
    step,
    done,
    total,
    isBegunAnew: row.tries > 1,
    problems: [...problems],
    problemCount,
    notes: [...row.notes],
    created,
    changed,
    unchanged,
    changedAt: row.changedAt.toISOString(),
  }
}

/** How long the record of an import is kept. */
const KEPT_MS = 30 * DAY_MS

/** Releases the ZIPs of imports that nobody has touched for a day, and deletes old imports. */
export async function expireImports({ database: { kysely }, now }: Deps): Promise<void> {
  await kysely
    .updateTable('imports')
    .set({
      storageKeys: [],
      phase: sql<'given_up'>`CASE phase WHEN 'ready' THEN 'given_up' ELSE phase END`,
    })
    .where('phase', 'not in', UNDER_WAY)
    .where('changedAt', '<=', oldest(now()))
    .execute()
  await kysely
    .deleteFrom('imports')
    .where('phase', 'not in', UNDER_WAY)
    .where('changedAt', '<=', new Date(now() - KEPT_MS))
    .execute()
}

/** An import without progress for this long has lost its job. */
const SILENCE_MS = 10 * MINUTE_MS

/** Queues a new job for each running import whose job is lost, as after a restore. */
export async function resumeImports({ database, jobs, now }: Deps): Promise<void> {
  await transaction(database, async (tx) => {
    const silent = await tx
      .updateTable('imports')
      .set({ changedAt: new Date(now()) })
      .where('phase', 'in', UNDER_WAY)
      .where('changedAt', '<=', new Date(now() - SILENCE_MS))
      .returning('id')
      .execute()
    for (const { id } of silent) await jobs.enqueue(tx, 'imports', { id })
  })
}
