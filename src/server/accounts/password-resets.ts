import type { Texts } from '../../i18n/texts.ts'
import { CODE_LIFETIME_MS } from '../../rules/sms.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import type { WrittenMail } from '../mail/mail.ts'
import {
  enqueueMail,
  type MailData,
  RESET_LINK_LIFETIME_MS,
  resetMail,
  shortMessage,
  type Written,
} from '../mail/mail.ts'
import { logOwn, logStaff, userSubject } from '../staff-log/staff-log.ts'
import { endSessions } from './ended-sessions.ts'
import { hashLinkToken, keepLinkToken } from './link-token.ts'
import { CODE_MINUTES, makeCode, markConfirmed, tryCode, useCode } from './phone-codes.ts'

type Parts = Pick<Deps, 'config' | 'database' | 'now'>

/**
 * Queues a link that sets a new password, for staff who help a user. Throws `user_not_found`,
 * `account_not_active`.
 */
export function sendResetLink(
  { database, jobs }: Pick<Deps, 'database' | 'jobs'>,
  { userId, actor }: { userId: number; actor: string },
): Promise<void> {
  return transaction(database, async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['email', 'locale', 'passwordHash', 'blockedAt'])
      .where('id', '=', userId)
      .where('role', '<>', 'SHOP')
      .executeTakeFirst()
    if (!user) throw fault('user_not_found')
    const { email, locale } = user
    if (user.passwordHash === null || user.blockedAt || email === null)
      throw fault('account_not_active')
    await enqueueMail(tx, jobs, 'password_reset', { email, locale })
    await logStaff(tx, { actor, action: 'send password link', subject: userSubject(userId) })
  })
}

/**
 * Writes the mail with the link that sets a new password, in the language of the requesting page;
 * the token is created only now.
 */
export async function writeResetLink(
  { config, database, now }: Parts,
  { email, locale }: MailData['password_reset'],
  texts: Texts,
): Promise<WrittenMail | null> {
  const user = await database.kysely
    .selectFrom('users')
    .select(['id', 'role'])
    .where('email', '=', email)
    .where('role', '<>', 'SHOP')
    // An invited account that has not accepted yet has no password.
    .where('passwordHash', 'is not', null)
    // A merged account is empty; its owner should log in with the other one.
    .where('mergedInto', 'is', null)
    .executeTakeFirst()
  if (!user) return null
  const token = await keepLinkToken(
    database.kysely,
    'passwordResets',
    user.id,
    now() + RESET_LINK_LIFETIME_MS,
  )
  const isStaff = user.role !== 'PARENT'
  return resetMail({ texts, locale, to: email, siteUrl: config.siteUrl, token, isStaff })
}

/**
 * Writes the code for a number. An account with an e-mail address gets its link by mail instead: a
 * number that has changed hands opens no such account.
 */
export async function writePhoneCode(
  parts: Parts & Pick<Deps, 'secret'>,
  { phone, locale, askedAt }: MailData['phone_code'],
  texts: Texts,
): Promise<Written> {
  const { database, now } = parts
  if (now() - askedAt > CODE_LIFETIME_MS) return null
  const user = await database.kysely
    .selectFrom('users')
    .select(['id', 'email', 'role'])
    .where('phone', '=', phone)
    .where('passwordHash', 'is not', null)
    .where('mergedInto', 'is', null)
    .executeTakeFirst()
  if (!user) return null
  if (user.email !== null) return writeResetLink(parts, { email: user.email, locale }, texts)
  const owner = { userId: user.id, phone, purpose: 'account' } as const
  const code = await makeCode(database.kysely, parts, owner)
  const text = shortMessage(texts, locale, 'code', { code, minutes: CODE_MINUTES })
  return { phone, text, isCode: true }
}

/**
 * Sets a new password for the owner of a reset token, and ends all sessions and all other links.
 * Throws `invalid_reset_token` for a token that is unknown, used or expired.
 */
export async function changePassword(
  { database, now, passwords }: Pick<Deps, 'database' | 'now' | 'passwords'>,
  token: string,
  password: string,
  turn: string | null,
): Promise<void> {
  const live = database.kysely
    .selectFrom('passwordResets')
    .select('userId')
    .where('tokenHash', '=', hashLinkToken(token))
    .where('expiresAt', '>', new Date(now()))
  // Hashing is expensive: an invalid token is refused first.
  if (!(await live.executeTakeFirst())) throw fault('invalid_reset_token')
  const passwordHash = await passwords.hash(password, turn)

  await transaction(database, async (tx) => {
    // Deletes all links of the user in one statement: of two used simultaneously, the second finds
    // none.
    const used = await tx
      .deleteFrom('passwordResets')
      .where('userId', '=', live)
      .returning('userId')
      .execute()
    const userId = used[0]?.userId
    if (userId === undefined) throw fault('invalid_reset_token')
    await setPassword(tx, userId, passwordHash)
    // The link proves that a customer owns the address; staff may have received theirs in another
    // way.
    await tx
      .updateTable('users')
      .set({ emailConfirmedAt: new Date(now()) })
      .where('id', '=', userId)
      .where('role', '=', 'PARENT')
      .where('emailConfirmedAt', 'is', null)
      .execute()
  })
}

/** Sets a new password with a code that was sent to the phone, or read out. Throws `wrong_phone_code`. */
export async function changePasswordByPhone(
  deps: Pick<Deps, 'database' | 'now' | 'passwords' | 'secret'>,
  { phone, code, newPassword }: { phone: string; code: string; newPassword: string },
  turn: string | null,
): Promise<void> {
  const owner = await tryCode(deps, { phone, purpose: 'account', code })
  const passwordHash = await deps.passwords.hash(newPassword, turn)
  await transaction(deps.database, async (tx) => {
    await useCode(tx, owner)
    await tx.deleteFrom('passwordResets').where('userId', '=', owner.userId).execute()
    await setPassword(tx, owner.userId, passwordHash)
    await markConfirmed(tx, owner.userId, deps.now())
  })
}

/** Ends every log-in, and a change of e-mail or phone that waits: somebody else may have asked for it. */
async function setPassword(tx: Tx, userId: number, passwordHash: string): Promise<void> {
  const { role } = await tx
    .updateTable('users')
    .set({ passwordHash })
    .where('id', '=', userId)
    .returning('role')
    .executeTakeFirstOrThrow()
  if (role !== 'PARENT') await logOwn(tx, userId, 'reset password')
  await tx.deleteFrom('contactChanges').where('userId', '=', userId).execute()
  await endSessions(tx, userId)
}
