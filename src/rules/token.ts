import type { Role } from './roles.ts'

/** The payload of a token; `exp` in seconds since 1970. */
type TokenPayload = { userId: number; authorities: string[]; exp: number }

/**
 * The payload of a token, unverified; null if it cannot be decoded, names no user or has expired at
 * `now` (ms): then the token must be treated as missing and removed.
 */
export function readToken(token: string, now: number): TokenPayload | null {
  const payload = decode(token)
  if (typeof payload !== 'object' || payload === null) return null
  const { userId, authorities, exp } = payload as Record<keyof TokenPayload, unknown>
  if (!Number.isSafeInteger(userId) || Number(userId) < 1) return null
  if (typeof exp !== 'number' || exp * 1000 <= now || !Array.isArray(authorities)) return null
  return { userId: Number(userId), authorities: authorities.map(String), exp }
}

/** When a token was issued, by the server's clock (ms), unverified; null if it does not say. */
export function issuedAt(token: string): number | null {
  const payload = decode(token) as { iat?: unknown } | null
  return typeof payload?.iat === 'number' ? payload.iat * 1000 : null
}

/**
 * The time by the server's clock (ms), by which tokens end: many devices are hours or days wrong.
 * `saved` is what this browser keeps of the difference, in any shape.
 */
export function serverTime(deviceTime: number, saved: string | null | undefined): number {
  return deviceTime + (Number(saved) || 0)
}

/** Whether the token is a customer's; the shop's log-in refuses all others. */
export function isParent({ authorities }: Pick<TokenPayload, 'authorities'>): boolean {
  return authorities.includes('PARENT' satisfies Role)
}

function decode(token: string): unknown {
  try {
    // Decoding bytes as characters suffices, since only ASCII is read.
    return JSON.parse(atob(token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''))
  } catch {
    return null
  }
}
