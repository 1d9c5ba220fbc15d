import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Schema } from '../database/schema.ts'
import type { Tx } from '../database/transaction.ts'
import { ApiFault, fault } from './errors.ts'

export const IDEMPOTENCY_KEY_MAX_LENGTH = 200

/** An intent of a user. `request` is the call with its input, such as `[call.path, input.body]`. */
export interface Intent {
  readonly userId: number
  readonly key: string
  readonly request: unknown
}

/**
 * Runs an intent once, however often it is sent: a repetition gets the stored result, and a
 * different request with the same key `idempotency_conflict`. If `run` throws, the key is rolled
 * back with everything else. `usual` is the value that most runs return: it is stored with the key,
 * and only another one by a second statement.
 */
export async function once<T>(
  tx: Tx,
  intent: Intent,
  run: () => Promise<T>,
  usual: T | null = null,
): Promise<T> {
  if (!(await claimKey(tx, intent, usual))) return storedResult<T>(tx, intent)
  const result = await run()
  if (result !== usual) await keepResult(tx, intent, result ?? null)
  return result
}

/**
 * Claims the key of an intent; false if it was used before. A second sender waits here until the first has
 * committed or rolled back.
 */
async function claimKey(
  tx: Tx,
  { userId, key, request }: Intent,
  usual: unknown,
): Promise<boolean> {
  const result = usual === null ? null : JSON.stringify(usual)
  const claimed = await tx
    .insertInto('idempotentRequests')
    .values({ userId, key, requestHash: hashOf(request), result })
    .onConflict((conflict) => conflict.columns(['userId', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst()
  return claimed !== undefined
}

/** The answer to the first sender; throws `idempotency_conflict` where it sent another request. */
async function storedResult<T>(tx: Tx, { userId, key, request }: Intent): Promise<T> {
  const stored = await tx
    .selectFrom('idempotentRequests')
    .select(['requestHash', 'result'])
    .where('userId', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (stored.requestHash !== hashOf(request)) throw fault('idempotency_conflict')
  return stored.result as T
}

/**
 * Carries out the part of an intent that runs outside its transaction, such as at a gateway, and
 * stores the result. `once` stored none, so that a repetition in the meantime continues the intent.
 * Of a refused intent nothing is kept: there is no end to the keys that a client may send.
 */
export async function carryOut<T>(
  db: Kysely<Schema>,
  intent: Intent,
  run: () => Promise<T>,
): Promise<T> {
  try {
    const result = await run()
    await keepResult(db, intent, result)
    return result
  } catch (error) {
    if (error instanceof ApiFault) await forget(db, intent)
    throw error
  }
}

async function forget(db: Kysely<Schema>, { userId, key }: Intent): Promise<void> {
  await db
    .deleteFrom('idempotentRequests')
    .where('userId', '=', userId)
    .where('key', '=', key)
    .where('result', 'is', null)
    .execute()
}

async function keepResult(
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

/** The `Idempotency-Key` of a call that moves money; 400 if it is missing or malformed. */
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

/** JSON with sorted keys, so that their order in the request does not matter. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
