import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Schema } from '../database/schema.ts'

/** A token for a link in a mail: 256 random bits. */
export function makeLinkToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The stored form of a token, with which someone who reads the database cannot use the link. */
export function hashLinkToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/**
 * Stores a new token for a link of this user, valid until `expiry` (milliseconds since 1970), and
 * returns it.
 */
export async function keepLinkToken(
  db: Kysely<Schema>,
  table: 'passwordResets' | 'emailConfirmations' | 'staffInvitations',
  userId: number,
  expiry: number,
): Promise<string> {
  const token = makeLinkToken()
  const row = { tokenHash: hashLinkToken(token), userId, expiresAt: new Date(expiry) }
  await db.insertInto(table).values(row).execute()
  return token
}
