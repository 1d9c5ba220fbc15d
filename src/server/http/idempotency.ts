import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
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
 * back with everything else.
 */
export async function once<T>(tx: Tx, intent: Intent, run: () => Promise<T>): Promise<T> {
  const claimed = await claimKeys(tx, [intent], null)
  if (!claimed.has(intent.userId)) {
    const stored = await storedResult<T>(tx, intent)
    if (stored instanceof ApiFault) throw stored
    return stored
  }
  const result = await run()
  await keepResult(tx, intent, result ?? null)
  return result
}

/**
 * Runs intents of different users, each like `once`, with as many statements as a single one needs.
 * `run` receives the new ones and resolves to their results in that order; the key of a refused one
 * is released. A result that equals `likely` is stored together with the keys; any other needs a
 * separate statement.
 */
export async function onceEach<One extends Intent, T>(
  tx: Tx,
  { intents, likely }: { intents: readonly One[]; likely: T },
  run: (fresh: readonly One[]) => Promise<readonly (T | ApiFault)[]>,
): Promise<(T | ApiFault)[]> {
  const claimed = await claimKeys(tx, intents, JSON.stringify(likely))
  const fresh = intents.filter(({ userId }) => claimed.has(userId))
  const made = fresh.length > 0 ? await run(fresh) : []
  const outcomes = new Map(fresh.map((intent, at) => [intent, made[at] as T | ApiFault]))
  for (const [intent, outcome] of outcomes) {
    if (outcome instanceof ApiFault) await releaseKey(tx, intent)
    else if (!isDeepStrictEqual(outcome, likely)) await keepResult(tx, intent, outcome)
  }
  for (const intent of intents) {
    if (!claimed.has(intent.userId)) outcomes.set(intent, await storedResult<T>(tx, intent))
  }
  return intents.map((intent) => outcomes.get(intent) as T | ApiFault)
}

/**
 * Claims the keys of intents of different users; returns the users whose keys were new. A second
 * sender waits here until the first has committed or rolled back.
 */
async function claimKeys(
  tx: Tx,
  intents: readonly Intent[],
  result: string | null,
): Promise<ReadonlySet<number>> {
  // In the order of users, so that two transactions that claim the same keys never deadlock.
  const { rows } = await sql<{ userId: number }>`
    INSERT INTO idempotent_requests (user_id, key, request_hash, result)
    SELECT claim.*, ${result}::jsonb FROM unnest(
      ${intents.map(({ userId }) => userId)}::integer[],
      ${intents.map(({ key }) => key)}::text[],
      ${intents.map(({ request }) => hashOf(request))}::text[]
    ) AS claim (user_id, key, request_hash)
    ORDER BY user_id
    ON CONFLICT (user_id, key) DO NOTHING
    RETURNING user_id`.execute(tx)
  return new Set(rows.map(({ userId }) => userId))
}

/** The answer to the first sender, or the fault for a key that another request has used. */
async function storedResult<T>(tx: Tx, { userId, key, request }: Intent): Promise<T | ApiFault> {
  const stored = await tx
    .selectFrom('idempotentRequests')
    .select(['requestHash', 'result'])
    .where('userId', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return stored.requestHash === hashOf(request)
    ? (stored.result as T)
    : fault('idempotency_conflict')
}

async function releaseKey(tx: Tx, { userId, key }: Intent): Promise<void> {
  await tx
    .deleteFrom('idempotentRequests')
    .where('userId', '=', userId)
    .where('key', '=', key)
    .execute()
}

/**
 * Stores the result of an intent that ends outside its transaction, such as at a gateway. `once`
 * stored none, so that a repetition in the meantime continues the intent.
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
