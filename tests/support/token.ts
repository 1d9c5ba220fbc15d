/** A token as the server makes it; `expiresIn` in seconds. One that is dated says when it was made. */
export function aToken({
  userId = 7,
  authorities = ['PARENT'],
  expiresIn = 3600,
  isDated = false,
} = {}): string {
  const now = Math.floor(Date.now() / 1000)
  const payload = { userId, authorities, exp: now + expiresIn, ...(isDated && { iat: now }) }
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'HS256' })}.${part(payload)}.signature`
}
