/** The payload of a token (section 3); `exp` in seconds since 1970. */
export type TokenPayload = { userId: number; authorities: string[]; exp: number }

/** The authority of a customer. */
export const PARENT = 'PARENT'

/**
 * What a token says, unverified; null where it cannot be decoded or is past its expiry at `now`
 * (ms), which counts as logged out (section 4).
 */
export function readToken(token: string, now: number): TokenPayload | null {
  const payload = decode(token)
  if (typeof payload !== 'object' || payload === null) return null
  const { userId, authorities, exp } = payload as Record<keyof TokenPayload, unknown>
  const isWhole =
    typeof userId === 'number' && typeof exp === 'number' && Array.isArray(authorities)
  return isWhole && exp * 1000 > now ? { userId, authorities: authorities.map(String), exp } : null
}

/** Whether the token is a customer's; anybody else is refused at log-in (section 4). */
export function isParent({ authorities }: Pick<TokenPayload, 'authorities'>): boolean {
  return authorities.includes(PARENT)
}

function decode(token: string): unknown {
  try {
    const binary = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (c) => c.charCodeAt(0))))
  } catch {
    return null
  }
}
