import { sql } from 'kysely'
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
      factors: payload.factors ?? null,
      tokenId: payload.jti,
      tokenExpiry: payload.exp,
    },
  }
}

type StillGood = Pick<User, 'role' | 'teacherId'>

async function accountOf(
  { kysely }: Database,
  { userId, generation, jti }: Payload,
): Promise<StillGood | undefined> {
  const { rows } = await sql<StillGood>`
    SELECT role, CASE WHEN role = 'TEACHER'
        THEN (SELECT id FROM teachers WHERE user_id = users.id) END AS teacher_id
    FROM users
    WHERE id = ${userId} AND token_generation = ${generation} AND role <> 'SHOP'
      AND NOT EXISTS (SELECT FROM ended_tokens WHERE token_id = ${jti})`.execute(kysely)
  return rows[0]
}

/** The caller of a `user` call; 401 where there is none. */
export function requireUser(identity: Identity): User {
  if (identity.kind === 'user') return identity.user
  throw fault(identity.kind === 'nobody' ? 'authentication_required' : 'invalid_token')
}

/** Refuses a `userId` that is not the token's own, administrators included. */
export function requireSelf(user: User, userId: number): void {
  if (user.id !== userId) throw fault('forbidden')
}

/** Refuses staff with 403: only customers have a wallet and buy. */
export function requireCustomer(user: User, userId: number): void {
  requireSelf(user, userId)
  if (user.role !== 'PARENT') throw fault('forbidden')
}
