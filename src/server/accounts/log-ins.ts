import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { deviceOf, LOG_INS_MAX } from '../../rules/devices.ts'
import { SECOND_MS } from '../../rules/durations.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { shortAddress } from '../http/client-address.ts'
import { fault } from '../http/errors.ts'
import { signToken, TOKEN_LIFETIME_MS, type User } from '../http/identity.ts'
import type { Origin } from '../http/route.ts'
import { announceEnded, endSessions } from './ended-sessions.ts'

type Account = Parameters<typeof signToken>[1]

/**
 * Logs in on a device: returns a token, which the account's page lists with the device's name and
 * its shortened address. One log-in too many ends the oldest.
 */
export function openLogIn(
  { database, secret, now }: Pick<Deps, 'database' | 'secret' | 'now'>,
  account: Account,
  from: Origin,
): Promise<string> {
  const tokenId = randomUUID()
  const at = now()
  return transaction(database, async (tx) => {
    await tx
      .insertInto('logIns')
      .values({
        tokenId,
        userId: account.id,
        generation: account.generation,
        device: deviceOf(from.userAgent),
        address: shortAddress(from.address),
        begunAt: new Date(at),
        seenAt: new Date(at),
        expiresAt: new Date(at + TOKEN_LIFETIME_MS),
      })
      .execute()
    const { rows: tooMany } = await sql<EndedToken>`
      SELECT token_id, expires_at FROM log_ins WHERE user_id = ${account.id}
      ORDER BY id DESC OFFSET ${LOG_INS_MAX}`.execute(tx)
    for (const token of tooMany) await endToken(tx, token)
    return signToken(secret, account, at, tokenId)
  })
}

/** The log-ins of an account whose tokens are valid, the latest first. */
export async function listLogIns(
  { database: { kysely }, now }: Pick<Deps, 'database' | 'now'>,
  user: User,
) {
  const rows = await kysely
    .selectFrom('logIns')
    .innerJoin('users', (join) =>
      join
        .onRef('users.id', '=', 'logIns.userId')
        .onRef('users.tokenGeneration', '=', 'logIns.generation'),
    )
    .select(['logIns.id', 'tokenId', 'device', 'address', 'begunAt', 'seenAt'])
    .where('userId', '=', user.id)
    .where('expiresAt', '>', new Date(now()))
    .orderBy('seenAt', 'desc')
    .orderBy('logIns.id', 'desc')
    .execute()
  return rows.map(({ tokenId, begunAt, seenAt, ...row }) => ({
    ...row,
    begunAt: begunAt.toISOString(),
    seenAt: seenAt.toISOString(),
    isThis: tokenId === user.tokenId,
  }))
}

/** Ends a log-in of the user on another device. Throws `not_found`. */
export function endLogIn(
  { database }: Pick<Deps, 'database'>,
  userId: number,
  id: number,
): Promise<void> {
  return transaction(database, async (tx) => {
    const token = await tx
      .selectFrom('logIns')
      .select(['tokenId', 'expiresAt'])
      .where('id', '=', id)
      .where('userId', '=', userId)
      .executeTakeFirst()
    if (!token) throw fault('not_found')
    await endToken(tx, token)
  })
}

/** Ends all log-ins of the user; returns a new token for the device at hand. */
export async function endOtherLogIns(
  deps: Pick<Deps, 'database' | 'secret' | 'now'>,
  { factors, ...user }: User,
  from: Origin,
): Promise<string> {
  const generation = await transaction(deps.database, (tx) => endSessions(tx, user.id))
  return openLogIn(deps, { ...user, generation, ...(factors && { factors }) }, from)
}

/** Ends the token at hand for good, and deletes the records of tokens that have expired since. */
export async function logOut(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  { tokenId, tokenExpiry }: User,
): Promise<void> {
  const expiresAt = new Date(tokenExpiry * SECOND_MS)
  await transaction(database, (tx) => endToken(tx, { tokenId, expiresAt }))
  await database.kysely.deleteFrom('endedTokens').where('expiresAt', '<', new Date(now())).execute()
}

interface EndedToken {
  readonly tokenId: string
  readonly expiresAt: Date
}

async function endToken(tx: Tx, token: EndedToken): Promise<void> {
  const { tokenId, expiresAt } = token
  await tx.deleteFrom('logIns').where('tokenId', '=', tokenId).execute()
  await tx
    .insertInto('endedTokens')
    .values({ tokenId, expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await announceEnded(tx, { tokenId })
}
