import type { Locale } from '../../i18n/locales.ts'
import { CONFIRMATION_LINK_LIFETIME_MS } from '../../rules/email-confirmation.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { confirmEmailMail } from '../mail/confirm-email-mail.ts'
import { hashLinkToken, makeLinkToken } from './link-token.ts'

type Parts = Pick<Deps, 'database' | 'now'>

/** A new token that confirms the address of this user; those that have expired are forgotten. */
export async function keepConfirmationToken(
  { database, now }: Parts,
  userId: number,
): Promise<string> {
  const token = makeLinkToken()
  await database.kysely
    .deleteFrom('email_confirmations')
    .where('expires_at', '<', new Date(now()))
    .execute()
  await database.kysely
    .insertInto('email_confirmations')
    .values({
      token_hash: hashLinkToken(token),
      user_id: userId,
      expires_at: new Date(now() + CONFIRMATION_LINK_LIFETIME_MS),
    })
    .execute()
  return token
}

/**
 * Confirms the address of the account that a token was mailed to; its ratings are public from then
 * on. False when the address was confirmed before: whoever opens the link again is told so kindly.
 * Throws `invalid_confirmation_token` for a token that is unknown or expired.
 */
export async function confirmEmail({ database, now }: Parts, token: string): Promise<boolean> {
  return transaction(database, async (tx) => {
    const link = await tx
      .selectFrom('email_confirmations')
      .innerJoin('users', 'users.id', 'email_confirmations.user_id')
      .select(['users.id', 'users.email_confirmed_at', 'email_confirmations.expires_at'])
      .where('token_hash', '=', hashLinkToken(token))
      .executeTakeFirst()
    if (link?.email_confirmed_at) return false
    if (!link || link.expires_at.getTime() <= now()) throw fault('invalid_confirmation_token')
    const confirmed = await tx
      .updateTable('users')
      .set({ email_confirmed_at: new Date(now()) })
      .where('id', '=', link.id)
      .where('email_confirmed_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    return confirmed !== undefined
  })
}

/**
 * Mails the link that confirms an account's address; false when it is confirmed already. Throws
 * `unavailable` when too many mails wait.
 */
export async function postConfirmationLink(
  parts: Parts & Pick<Deps, 'config' | 'mailer'>,
  userId: number,
  locale: Locale,
): Promise<boolean> {
  const { config, database, mailer } = parts
  const account = await database.kysely
    .selectFrom('users')
    .select(['email', 'email_confirmed_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (account.email_confirmed_at) return false
  const isTaken = mailer.post(async () => {
    const token = await keepConfirmationToken(parts, userId)
    return confirmEmailMail({ locale, to: account.email, siteUrl: config.siteUrl, token })
  })
  if (!isTaken) throw fault('unavailable')
  return true
}
