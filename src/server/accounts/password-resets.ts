import type { Locale } from '../../i18n/locales.ts'
import type { Database } from '../database/pool.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import type { WrittenMail } from '../mail/mail.ts'
import { enqueueMail, type MailData, RESET_LINK_LIFETIME_MS, resetMail } from '../mail/mail.ts'
import { logStaff, userSubject } from '../staff-log/staff-log.ts'
import { endSessions } from './ended-sessions.ts'
import { hashLinkToken, makeLinkToken } from './link-token.ts'
import { hashPassword } from './passwords.ts'

type Parts = Pick<Deps, 'config' | 'database' | 'now'>

/**
 * Queues a link for the account with this e-mail (folded). An unknown e-mail is queued as well, so
 * that neither the answer nor its time tells them apart.
 */
export function enqueueResetLink(
  { database, jobs }: Pick<Deps, 'database' | 'jobs'>,
  email: string,
  locale: Locale,
): Promise<void> {
  return enqueueMail(database.kysely, jobs, 'password_reset', { email, locale })
}

/** Writes that mail, in the language of the page that asked; its token is made only now. */
export async function writeResetLink(
  { config, database, now }: Parts,
  { email, locale }: MailData['password_reset'],
): Promise<WrittenMail | null> {
  const user = await database.kysely
    .selectFrom('users')
    .select(['id', 'role'])
    .where('email', '=', email)
    .where('role', '<>', 'SHOP')
    // Who was invited and has not come yet has no password to forget.
    .where('passwordHash', 'is not', null)
    .executeTakeFirst()
  if (!user) return null
  const token = await keepToken(database, user.id, now())
  const isStaff = user.role !== 'PARENT'
  return resetMail({ locale, to: email, siteUrl: config.siteUrl, token, isStaff })
}

/** A new token of 256 random bits that sets this user's password, once. */
export async function keepToken(
  { kysely }: Pick<Database, 'kysely'>,
  userId: number,
  now: number,
): Promise<string> {
  const token = makeLinkToken()
  await kysely
    .insertInto('passwordResets')
    .values({
      tokenHash: hashLinkToken(token),
      userId,
      expiresAt: new Date(now + RESET_LINK_LIFETIME_MS),
    })
    .execute()
  return token
}

/**
 * Gives the owner of a reset token a new password, and ends every token that logged in before and
 * every other link. Throws `invalid_reset_token` for one that is unknown, used or expired.
 */
export async function changePassword(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  token: string,
  password: string,
): Promise<void> {
  const live = database.kysely
    .selectFrom('passwordResets')
    .select('userId')
    .where('tokenHash', '=', hashLinkToken(token))
    .where('expiresAt', '>', new Date(now()))
  // Hashing is expensive: a bad token is refused before it.
  if (!(await live.executeTakeFirst())) throw fault('invalid_reset_token')
  const passwordHash = await hashPassword(password)

  await transaction(database, async (tx) => {
    // All links of the user at once: of two that are used together the second finds none.
    const used = await tx
      .deleteFrom('passwordResets')
      .where('userId', '=', live)
      .returning('userId')
      .execute()
    const userId = used[0]?.userId
    if (userId === undefined) throw fault('invalid_reset_token')
    const { role } = await tx
      .updateTable('users')
      .set({ passwordHash })
      .where('id', '=', userId)
      .returning('role')
      .executeTakeFirstOrThrow()
    if (role !== 'PARENT') {
      const self = userSubject(userId)
      await logStaff(tx, { actor: self, action: 'reset password', subject: self })
    }
    // A customer's link came by mail, so this address is theirs; that of staff may be handed over.
    await tx
      .updateTable('users')
      .set({ emailConfirmedAt: new Date(now()) })
      .where('id', '=', userId)
      .where('role', '=', 'PARENT')
      .where('emailConfirmedAt', 'is', null)
      .execute()
    await endSessions(tx, userId)
  })
}
