import { sql } from 'kysely'
import { userSubject } from '../../rules/office-actions.ts'
import { gathered } from '../concurrency/gathered.ts'
import { idList } from '../database/id-list.ts'
import type { Database } from '../database/pool.ts'
import type { Deps } from '../deps.ts'
import { fault } from './errors.ts'
import type { User } from './route.ts'
import { type Payload, verifyToken } from './tokens.ts'

/** The result of reading an `Authorization` header. */
export type Identity =
  | { readonly kind: 'nobody' }
  /** A token that is damaged, forged, expired, or ended by a log-out or a reset. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'user'; readonly user: User }

/** There is no token. */
export const NOBODY: Identity = { kind: 'nobody' }
const REFUSED: Identity = { kind: 'refused' }

// Our tokens are much shorter; a longer one need not be verified.
const LONGEST = 2048

/** Reads a token and checks it against the database. Nothing else identifies callers. */
export async function identify(deps: Deps, authorization: string | undefined): Promise<Identity> {
  if (!authorization) return NOBODY
  const token = /^Bearer +(\S+) *$/i.exec(authorization.slice(0, LONGEST))?.[1]
  const payload = token ? await verifyToken(deps.secret, token, deps.now()) : null
  if (!payload) return REFUSED

  const account = await accountOf(deps.database, payload)
  if (!account) return REFUSED
  return {
    kind: 'user',
    user: {
      ...account,
      id: payload.userId,
      actor: userSubject(payload.userId),
      factors: payload.factors ?? null,
      tokenId: payload.jti,
      tokenExpiry: payload.exp,
    },
  }
}

type StillGood = Pick<User, 'role' | 'teacherId'>
type ReadAccounts = (tokens: readonly Payload[]) => Promise<ReadonlyMap<Payload, StillGood>>

const readers = new WeakMap<Database, ReadAccounts>()

/** The account of a token that is still valid; simultaneous callers are looked up together. */
async function accountOf(database: Database, token: Payload): Promise<StillGood | undefined> {
  const read =
    readers.get(database) ?? gathered<Payload, StillGood>((all) => readAll(database, all))
  readers.set(database, read)
  return (await read([token])).get(token)
}

async function readAll(
  { kysely }: Database,
  tokens: readonly Payload[],
): Promise<ReadonlyMap<Payload, StillGood>> {
  const { rows } = await sql<StillGood & { place: number }>`
    SELECT given.place::integer, users.role, CASE WHEN users.role = 'TEACHER'
        THEN (SELECT id FROM teachers WHERE user_id = users.id) END AS teacher_id
    FROM unnest(
      ${idList(tokens.map(({ userId }) => userId))},
      ${idList(tokens.map(({ generation }) => generation))},
      ${tokens.map(({ jti }) => jti)}::text[]
    ) WITH ORDINALITY AS given (user_id, generation, token_id, place)
    JOIN users ON users.id = given.user_id AND users.token_generation = given.generation
    WHERE users.role <> 'SHOP'
      AND NOT EXISTS (SELECT FROM ended_tokens WHERE token_id = given.token_id)`.execute(kysely)
  return new Map(
    rows.map(({ place, ...account }) => [tokens[place - 1] as Payload, account] as const),
  )
}

/** The caller of a `user` call; 401 if there is none. */
export function requireUser(identity: Identity): User {
  if (identity.kind === 'user') return identity.user
  throw fault(identity.kind === 'nobody' ? 'authentication_required' : 'invalid_token')
}

/** Refuses a `userId` other than the token's, even to administrators. */
export function requireSelf(user: User, userId: number): void {
  if (user.id !== userId) throw fault('forbidden')
}

/** Refuses staff with 403: only customers have a wallet and buy. */
export function requireCustomer(user: User, userId: number): void {
  requireSelf(user, userId)
  if (user.role !== 'PARENT') throw fault('forbidden')
}
