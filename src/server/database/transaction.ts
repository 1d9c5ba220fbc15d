import { setTimeout as wait } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import type { Database } from './pool.ts'
import type { Schema } from './schema.ts'
import { codeOf } from './start-error.ts'
import { isStalePlan } from './statements.ts'
import { DatabaseUnavailable, withWriting } from './unavailable.ts'

export type Tx = Transaction<Schema>

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const ATTEMPTS = 5

/**
 * Runs `work` in one READ COMMITTED transaction: it is committed as a whole, or not at all if
 * `work` throws. A transaction that PostgreSQL aborted because of others (deadlock, serialization),
 * or whose plans were older than a migration, runs again from its start, so `work` must do nothing
 * but queries. Throws `DatabaseUnavailable` after the last attempt, or if the connection is lost;
 * whether a commit interrupted by that took place is unknown, and its
 * `wroteNothing` says whether one was begun.
 */
export async function transaction<Result>(
  database: Pick<Database, 'kysely'>,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    let isCommitting = false
    try {
      return await database.kysely
        .transaction()
        .setIsolationLevel('read committed')
        .execute(async (tx) => {
          const result = await work(tx)
          isCommitting = true
          return result
        })
    } catch (error) {
      if (!isRetryable(error)) throw withWriting(error, isCommitting)
      if (attempt === ATTEMPTS) throw new DatabaseUnavailable(error, true)
      // Random delays, so that transactions that collided do not collide again.
      await wait(Math.random() * 10 * 2 ** attempt)
    }
  }
}

/**
 * `transaction` on a connection of its own, for work that takes long: a statement, a lock and a pause
 * may each take `limitMs`, or any time (0).
 */
export async function longTransaction<Result>(
  database: Pick<Database, 'another'>,
  limitMs: number,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const own = database.another({ statementTimeout: limitMs, size: 1 })
  const limit = String(limitMs)
  try {
    return await transaction(own, async (tx) => {
      await sql`SELECT set_config('statement_timeout', ${limit}, true),
        set_config('lock_timeout', ${limit}, true),
        set_config('idle_in_transaction_session_timeout', ${limit}, true)`.execute(tx)
      return work(tx)
    })
  } finally {
    await own.close()
  }
}

function isRetryable(error: unknown): boolean {
  const code = codeOf(error)
  return code === SERIALIZATION_FAILURE || code === DEADLOCK || isStalePlan(error)
}

/**
 * Waits until no other transaction holds the lock of this name, and holds it until this one ends.
 */
export async function lock(tx: Tx, name: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

/** Takes the lock of this name until this transaction ends; false if another one holds it. */
export async function tryLock(tx: Tx, name: string): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS "isFree"`.execute(tx)
  return rows[0]?.isFree === true
}
