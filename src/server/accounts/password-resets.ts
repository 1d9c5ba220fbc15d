import { pathIn } from '../../i18n/paths.ts'
import type { Texts } from '../../i18n/texts.ts'
import { DAY_MS } from '../../rules/durations.ts'
import { CODE_LIFETIME_MS } from '../../rules/sms.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { createKeptAttempts } from '../http/attempt-counter.ts'
import { ApiFault, fault } from '../http/errors.ts'
import type { Limits } from '../http/rate-limits.ts'
import type { WrittenMail } from '../mail/mail.ts'
import {
  emailKnownMail,
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
import { countNewcomerText } from './newcomer-texts.ts'
import { CODE_MINUTES, makeRequestedCode, markConfirmed, tryResetCode } from './phone-codes.ts'

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
 * Writes the code for a number: of the account that is being registered with it, or else to set a new
 * password. An account with an e-mail address gets its link by mail instead: a number that has
 * changed hands opens no such account. An e-mail account's number that is not confirmed gets
 * nothing.
 */
export async function writePhoneCode(
  parts: Parts & Pick<Deps, 'report' | 'secret' | 'sms'>,
  { phone, locale, askedAt, request: hash, userId, isCounted }: MailData['phone_code'],
  texts: Texts,
): Promise<Written> {
  const { database, now } = parts
  if (now() - askedAt > CODE_LIFETIME_MS) return null
  const asked = userId === undefined ? await readRegistration(database, hash) : userId
  const registered = asked === undefined ? undefined : await accountOf(database, phone, asked)
  const isRegistering = registered !== undefined && registered.phoneConfirmedAt === null
  const user = isRegistering ? registered : await accountOf(database, phone)
  if (!user) return null
  if (user.email !== null) return writeResetLink(parts, { email: user.email, locale }, texts)
  try {
    if (user.phoneConfirmedAt === null && !isCounted) await countNewcomerText(parts, hash)
  } catch (error) {
    if (error instanceof ApiFault) return null
    throw error
  }
  const purpose = isRegistering ? 'register' : 'reset'
  const code = await makeRequestedCode(parts, { hash, userId: user.id, phone, purpose })
  const text = shortMessage(texts, locale, 'code', { code, minutes: CODE_MINUTES })
  return { phone, text, isCode: true }
}

async function readRegistration({ kysely }: Deps['database'], hash: string) {
  const asked = await kysely
    .selectFrom('codeRequests')
    .select('userId')
    .where('requestHash', '=', hash)
    .where('purpose', '=', 'register')
    .executeTakeFirst()
  return asked?.userId ?? undefined
}

/** The account whose number this is: confirmed, or else the latest that has no other contact. */
const accountOf = ({ kysely }: Deps['database'], phone: string, id?: number) =>
  kysely
    .selectFrom('users')
    .select(['id', 'email', 'phoneConfirmedAt'])
    .where('phone', '=', phone)
    .where((row) => row.or([row('phoneConfirmedAt', 'is not', null), row('email', 'is', null)]))
    .where('passwordHash', 'is not', null)
    .where('mergedInto', 'is', null)
    .$if(id !== undefined, (users) => users.where('id', '=', id ?? 0))
    .orderBy('phoneConfirmedAt', (order) => order.asc().nullsLast())
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Tells the owner of a number, once a day, that somebody wanted to register with it. */
export async function writePhoneKnown(
  parts: Parts & Pick<Deps, 'secret'>,
  { phone, locale }: MailData['phone_known'],
  texts: Texts,
): Promise<Written> {
  const once = { max: 1, windowMs: DAY_MS }
  const told = await createKeptAttempts(parts).take([[`told ${phone}`, once]])
  if (told > 0) return null
  const link = `${parts.config.siteUrl}${pathIn(locale, '/login')}`
  return { phone, text: shortMessage(texts, locale, 'known', { link }), isCode: true }
}

/** Tells the owner of an e-mail address that somebody wanted to register with it. */
export async function writeEmailKnown(
  { config, database }: Parts,
  { userId, locale }: MailData['email_known'],
  texts: Texts,
): Promise<WrittenMail | null> {
  const user = await database.kysely
    .selectFrom('users')
    .select(['email', 'role'])
    .where('id', '=', userId)
    .where('mergedInto', 'is', null)
    .executeTakeFirst()
  if (!user) return null
  const isStaff = user.role !== 'PARENT'
  return emailKnownMail({ texts, locale, to: user.email, siteUrl: config.siteUrl, isStaff })
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

/**
 * Sets a new password with a code that was sent to the phone, or read out. Throws
 * `wrong_phone_code`, `contact_taken`.
 */
export async function changePasswordByPhone(
  deps: Pick<Deps, 'database' | 'now' | 'passwords' | 'secret'>,
  limits: Limits,
  { newPassword, ...typed }: Parameters<typeof tryResetCode>[2] & { newPassword: string },
): Promise<void> {
  const right = await tryResetCode(deps, limits, typed)
  const passwordHash = await deps.passwords.hash(newPassword, limits.turn)
  await transaction(deps.database, async (tx) => {
    await right.use(tx)
    await tx.deleteFrom('passwordResets').where('userId', '=', right.userId).execute()
    await setPassword(tx, right.userId, passwordHash)
    await markConfirmed(tx, right.userId, deps.now())
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
  await tx.deleteFrom('codeRequests').where('userId', '=', userId).execute()
  await endSessions(tx, userId)
}
