import { createSecretKey, randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import {
  array,
  enums,
  type Infer,
  integer,
  is,
  min,
  optional,
  size,
  string,
  type,
} from 'superstruct'
import { HOUR_MS, SECOND_MS } from '../../rules/durations.ts'

/** How long a token is valid. */
export const TOKEN_LIFETIME_MS = 12 * HOUR_MS

const ISSUER = 'karras'
const ALGORITHM = 'HS256'

/** The factors of an office token: the password (1), or a second factor as well (2). */
const Factors = enums([1, 2])
export type Factors = Infer<typeof Factors>

const Payload = type({
  userId: min(integer(), 1),
  authorities: size(array(string()), 1, 10),
  /** The user's `token_generation`; a reset of the password increases it. */
  generation: min(integer(), 0),
  /** Only in a token of the office's log-in. */
  factors: optional(Factors),
  jti: size(string(), 1, 100),
  exp: integer(),
})
export type Payload = Infer<typeof Payload>

/**
 * A token for this user, valid for `TOKEN_LIFETIME_MS` from `now` (milliseconds since 1970); an
 * office token if `factors` is given.
 */
export async function signToken(
  secret: Uint8Array,
  user: { id: number; role: string; generation: number; factors?: Factors },
  now: number,
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
    .setJti(randomUUID())
    .sign(createSecretKey(secret))
}

/** How many verified tokens are cached, of some 500 bytes each. */
const MOST_GENUINE = 10_000

/**
 * Creates a function that returns the content of one of our tokens; null if it is forged, damaged,
 * expired or uses another algorithm.
 */
export function createVerifier(secret: Uint8Array) {
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
    if (!is(payload, Payload)) return null
    genuine.set(token, payload)
    return payload
  }
}
