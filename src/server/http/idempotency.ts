import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Schema } from '../database/schema.ts'
import type { Tx } from '../database/transaction.ts'
import { fault } from './errors.ts'

export const IDEMPOTENCY_KEY_MAX_LENGTH = 200

/** An intent of a user. `request` is the call with its input, such as `[call.path, input.body]`. */
export interface Intent {
  readonly userId: number
  readonly key: string
  readonly request: unknown
}

/**
 * Runs an intent once, however often it is sent: a repetition gets the stored result, and another request
 * with the same key `idempotency_conflict`. If `run` throws, the key is rolled back with everything else.
 */
export async function once<T>(
  tx: Tx,
  { userId, key, request }: Intent,
  run: () => Promise<T>,
): Promise<T> {
  const hash = hashOf(request)
  // A second sender waits here until the first has committed or rolled back.
  const fresh = await tx
    .insertInto('idempotentRequests')
    .values({ userId, key, requestHash: hash, result: null })
    .onConflict((conflict) => conflict.columns(['userId', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst()

  if (!fresh) {
    const stored = await tx
      .selectFrom('idempotentRequests')
      .select(['requestHash', 'result'])
      .where('userId', '=', userId)
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
    if (stored.requestHash !== hash) throw fault('idempotency_conflict')
    return stored.result as T
  }

  const result = await run()
  await keepResult(tx, { userId, key, request }, result ?? null)
  return result
}

/**
 * Stores the result of an intent that ends outside its transaction, such as at a gateway. `once` stored
 * none, so that a repetition in the meantime continues the intent.
 */
export async function keepResult(
  db: Kysely<Schema>,
  { userId, key }: Intent,
  result: unknown,
): Promise<void> {
  await db
    .updateTable('idempotentRequests')
    .set({ result: JSON.stringify(result) })
    .where('userId', '=', userId)
    .where('key', '=', key)
    .execute()
}

/** The `Idempotency-Key` of a call that moves money; 400 where it is missing or unusable. */
export function readKey(header: string | string[] | undefined): string {
  if (typeof header !== 'string' || header === '') throw fault('idempotency_key_required')
  if (header.length > IDEMPOTENCY_KEY_MAX_LENGTH) {
    throw fault('invalid_input', { fields: { 'Idempotency-Key': 'maxLength' } })
  }
  return header
}

function hashOf(request: unknown): string {
  return createHash('sha256').update(canonicalJson(request)).digest('hex')
}

/** JSON whose keys are sorted, so that their order on the wire does not matter. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
