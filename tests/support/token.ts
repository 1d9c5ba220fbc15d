/** A token as the server makes it; `expiresIn` in seconds. */
export function aToken({ userId = 7, authorities = ['PARENT'], expiresIn = 3600 } = {}): string {
  const payload = { userId, authorities, exp: Math.floor(Date.now() / 1000) + expiresIn }
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'HS256' })}.${part(payload)}.signature`
}
