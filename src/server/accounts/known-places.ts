import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

/** How many addresses an account is known at; the oldest are forgotten. */
const PLACES_MAX = 20

type Parts = Pick<Deps, 'database' | 'now' | 'secret'>

const hashOf = (secret: Uint8Array, userId: number, place: string) =>
  createHmac('sha256', secret).update(`place ${userId} ${place}`).digest('base64url')

/**
 * Remembers that an account logged in from an address (`Limits.place`), where it keeps attempts of
 * its own: strangers at other addresses cannot use them up.
 */
export async function keepPlace(
  { database, now, secret }: Parts,
  userId: number,
  place: string | null,
): Promise<void> {
  if (place === null) return
  const seen = { seenAt: new Date(now()) }
  await database.kysely
    .insertInto('knownPlaces')
    .values({ userId, place: hashOf(secret, userId, place), ...seen })
    .onConflict((conflict) => conflict.columns(['userId', 'place']).doUpdateSet(seen))
    .execute()
  await sql`
    DELETE FROM known_places WHERE user_id = ${userId} AND place NOT IN (
      SELECT place FROM known_places WHERE user_id = ${userId}
      ORDER BY seen_at DESC LIMIT ${PLACES_MAX})`.execute(database.kysely)
}

/** Whether the account has logged in from the address; asks for an unknown account (0) too, so that the time says nothing. */
export async function isKnownPlace(
  { database, secret }: Omit<Parts, 'now'>,
  userId: number,
  place: string | null,
): Promise<boolean> {
  if (place === null) return false
  const known = await database.kysely
    .selectFrom('knownPlaces')
    .select('userId')
    .where('userId', '=', userId)
    .where('place', '=', hashOf(secret, userId, place))
    .executeTakeFirst()
  return known !== undefined
}
