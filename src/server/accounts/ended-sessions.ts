import { type Kysely, sql } from 'kysely'
import type { Schema } from '../database/schema.ts'
import type { Tx } from '../database/transaction.ts'

/** The tokens that have ended: one token, or all tokens of a user. */
export type Ended = { readonly tokenId: string } | { readonly userId: number }

export const SESSIONS_CHANNEL = 'sessions'

/** Announces ended tokens to every instance; within a transaction, when it commits. */
export async function announceEnded(db: Kysely<Schema>, ended: Ended): Promise<void> {
  await sql`SELECT pg_notify(${SESSIONS_CHANNEL}, ${JSON.stringify(ended)})`.execute(db)
}

/** Ends every token of a user, in every instance; returns the generation of the next one. */
export async function endSessions(tx: Tx, userId: number): Promise<number> {
  const { tokenGeneration } = await tx
    .updateTable('users')
    .set((row) => ({ tokenGeneration: row('tokenGeneration', '+', 1) }))
    .where('id', '=', userId)
    .returning('tokenGeneration')
    .executeTakeFirstOrThrow()
  await announceEnded(tx, { userId })
  return tokenGeneration
}

/** Reads an announcement; null if the payload is malformed. */
export function readEnded(payload: string): Ended | null {
  try {
    const ended: unknown = JSON.parse(payload)
    return typeof ended === 'object' && ended !== null ? (ended as Ended) : null
  } catch {
    return null
  }
}
