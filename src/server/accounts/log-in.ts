import type { Locale } from '../../i18n/locales.ts'
import { normalisePhone } from '../../rules/phone.ts'
import type { Database } from '../database/pool.ts'
import type { AccountRole } from '../database/schema.ts'
import { transaction } from '../database/transaction.ts'
import type { User } from '../http/route.ts'
import { announceEnded } from './ended-sessions.ts'
import { isPassword } from './passwords.ts'

/** Who has logged in; what a token is made of. */
export interface Account {
  readonly id: number
  readonly role: AccountRole
  readonly generation: number
  readonly isBlocked: boolean
  /** Another account has taken over what it had. */
  readonly isClosed: boolean
}

/** How an account is named at log-in, in one spelling: its phone's 8 digits, or its e-mail. */
export function foldUsername(username: string): string {
  return normalisePhone(username) ?? foldEmail(username)
}

/**
 * The account of an e-mail or phone with its password, or null; both refusals take as long. The
 * shop's own has no password, and is nobody's.
 */
export async function findAccount(
  database: Database,
  username: string,
  password: string,
): Promise<Account | null> {
  const name = foldUsername(username)
  const row = await database.kysely
    .selectFrom('users')
    .select(['id', 'role', 'tokenGeneration', 'passwordHash', 'blockedAt', 'mergedInto'])
    .where(normalisePhone(username) === null ? 'email' : 'phone', '=', name)
    .where('role', '<>', 'SHOP')
    .executeTakeFirst()
  const isRight = await isPassword(password, row?.passwordHash ?? null)
  if (!row || !isRight) return null
  return {
    id: row.id,
    role: row.role,
    generation: row.tokenGeneration,
    isBlocked: row.blockedAt !== null,
    isClosed: row.mergedInto !== null,
  }
}

/** The language in which an account is written to from now on. */
export async function keepLocale(
  { kysely }: Database,
  userId: number,
  locale: Locale,
): Promise<void> {
  await kysely
    .updateTable('users')
    .set({ locale })
    .where('id', '=', userId)
    .where('locale', '!=', locale)
    .execute()
}

/** Ends a token for good, and forgets those that have ended by themselves since. */
export async function endToken(database: Database, user: User, now: number): Promise<void> {
  await transaction(database, async (tx) => {
    await tx
      .insertInto('endedTokens')
      .values({ tokenId: user.tokenId, expiresAt: new Date(user.tokenExpiry * 1000) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await announceEnded(tx, { tokenId: user.tokenId })
  })
  await database.kysely.deleteFrom('endedTokens').where('expiresAt', '<', new Date(now)).execute()
}

/** An e-mail address in one spelling. */
export function foldEmail(email: string): string {
  return email.trim().toLowerCase()
}
