import { createSecretKey, randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import * as s from 'superstruct'
import { HOUR_MS, SECOND_MS } from '../../rules/durations.ts'
import { userActor } from '../../rules/office-actions.ts'
import { RETENTION } from '../../rules/retention.ts'
import { gathered } from '../concurrency/gathered.ts'
import type { Database } from '../database/pool.ts'
import type { AccountRole } from '../database/schema.ts'
import { idList } from '../database/sql-parts.ts'
import { fault } from './errors.ts'

/** The caller according to the token; nothing else in a request identifies one. */
export interface User {
  readonly id: number
  readonly role: AccountRole
  /** The person who acts, as the staff log names them: `user 12`, or the command line. */
  readonly actor: string
  /** What the log adds to an action: in whose place the command line acts. */
  readonly inPlaceOf?: string
  /** The teacher of the account; null for all other users. */
  readonly teacherId: number | null
  /** Which factors opened this token of the office; null for one of the shop's log-in. */
  readonly factors: Factors | null
  /** The token itself, so that logging out can end it. */
  readonly tokenId: string
  /** Seconds since 1970. */
  readonly tokenExpiry: number
}

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

/**
 * Creates the function that reads an `Authorization` header and checks its token against the
 * database. Nothing else identifies callers.
 */
export function createIdentify({ database, secret, now }: Recognising) {
  const verify = createVerifier(secret)
  // Simultaneous callers are looked up together.
  const accountsOf = gathered<Payload, ValidAccount>((tokens) => readAccounts(database, tokens))
  const noteSeen = createSightings(database, now)
  return async (authorization: string | undefined): Promise<Identity> => {
    if (!authorization) return NOBODY
    const token = /^Bearer +(\S+) *$/i.exec(authorization.slice(0, LONGEST))?.[1]
    const payload = token ? await verify(token, now()) : null
    if (!payload) return REFUSED

    const account = (await accountsOf([payload])).get(payload)
    if (!account) return REFUSED
    noteSeen(payload.jti)
    return {
      kind: 'user',
      user: {
        ...account,
        id: payload.userId,
        actor: userActor(payload.userId),
        factors: payload.factors ?? null,
        tokenId: payload.jti,
        tokenExpiry: payload.exp,
      },
    }
  }
}

/** How exactly it is known when a log-in was last used. */
const SEEN_EVERY_MS = HOUR_MS

/** Notes on the log-in of a token, once in a while, that it is used. */
function createSightings({ kysely }: Database, now: () => number) {
  const noted = new LRUCache<string, number>({ max: MOST_GENUINE })
  return (tokenId: string): void => {
    const at = now()
    if (at - (noted.get(tokenId) ?? 0) < SEEN_EVERY_MS) return
    noted.set(tokenId, at)
    kysely
      .updateTable('logIns')
      .set({ seenAt: new Date(at) })
      .where('tokenId', '=', tokenId)
      .where('seenAt', '<=', new Date(at - SEEN_EVERY_MS))
      .execute()
      .catch(() => {}) // no call waits for it, and none fails without it
  }
}

interface Recognising {
  readonly database: Database
  readonly secret: Uint8Array
  readonly now: () => number
}

type ValidAccount = Pick<User, 'role' | 'teacherId'>

/** The accounts of the tokens that are still valid. */
async function readAccounts(
  { kysely }: Database,
  tokens: readonly Payload[],
): Promise<ReadonlyMap<Payload, ValidAccount>> {
  const { rows } = await sql<ValidAccount & { place: number }>`
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

/** How long a token is valid. */
export const TOKEN_LIFETIME_MS = RETENTION.logIns

const ISSUER = 'karras'
const ALGORITHM = 'HS256'

/** The factors of an office token: the password (1), or a second factor as well (2). */
const Factors = s.enums([1, 2])
export type Factors = s.Infer<typeof Factors>

const Payload = s.type({
  userId: s.min(s.integer(), 1),
  authorities: s.size(s.array(s.string()), 1, 10),
  /** The user's `token_generation`; a reset of the password increases it. */
  generation: s.min(s.integer(), 0),
  /** Only in a token of the office's log-in. */
  factors: s.optional(Factors),
  jti: s.size(s.string(), 1, 100),
  exp: s.integer(),
})
type Payload = s.Infer<typeof Payload>

/**
 * A token for this user, valid for `TOKEN_LIFETIME_MS` from `now` (milliseconds since 1970); an
 * office token if `factors` is given.
 */
export async function signToken(
  secret: Uint8Array,
  user: { id: number; role: string; generation: number; factors?: Factors },
  now: number,
  tokenId: string = randomUUID(),
): Promise<string> {
  const issued = Math.floor(now / SECOND_MS)
  return new SignJWT({
    userId: user.id,
    authorities: [user.role],
    generation: user.generation,
    ...(user.factors && { factors: user.factors }),
  })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setIssuedAt(issued)
    .setExpirationTime(issued + TOKEN_LIFETIME_MS / SECOND_MS)
    .setJti(tokenId)
    .sign(createSecretKey(secret))
}

/** How many verified tokens are cached, of some 500 bytes each. */
const MOST_GENUINE = 10_000

/**
 * Creates a function that returns the content of one of our tokens; null if it is forged, damaged,
 * expired or uses another algorithm.
 */
function createVerifier(secret: Uint8Array) {
  // One object, since jose caches the imported key by it.
  const key = createSecretKey(secret)
  // A verified token stays genuine: only its expiry has to be checked again.
  const genuine = new LRUCache<string, Payload>({ max: MOST_GENUINE })
  return async (token: string, now: number): Promise<Payload | null> => {
    const known = genuine.get(token)
    if (known) return known.exp * SECOND_MS > now ? known : null
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      requiredClaims: ['exp', 'jti'],
      currentDate: new Date(now),
    }).catch(() => ({ payload: null }))
    if (!s.is(payload, Payload)) return null
    genuine.set(token, payload)
    return payload
  }
}
