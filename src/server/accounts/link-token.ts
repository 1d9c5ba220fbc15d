import { createHash, randomBytes } from 'node:crypto'

/** A token for a link in a mail: 256 random bits. */
export function makeLinkToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What is kept of a token: who reads the database cannot use the link. */
export function hashLinkToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
