import type { Texts } from '../../i18n/texts.ts'
import { CONFIRMATION_LINK_LIFETIME_MS } from '../../rules/roles.ts'
import type { Database } from '../database/pool.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import type { WrittenMail } from '../mail/mail.ts'
import { confirmEmailMail, enqueueMail, type MailData } from '../mail/mail.ts'
import { hashLinkToken, keepLinkToken } from './link-token.ts'

type Parts = Pick<Deps, 'database' | 'now'>

export function keepConfirmationToken({ database, now }: Parts, userId: number): Promise<string> {
  const expiry = now() + CONFIRMATION_LINK_LIFETIME_MS
  return keepLinkToken(database.kysely, 'emailConfirmations', userId, expiry)
}

/**
 * Confirms the address of the account to which a token was sent; its ratings are public from then
 * on. Returns false if the address was confirmed before, so that opening the link again can say so.
 * Throws `invalid_confirmation_token` for a token that is unknown or expired.
 */
export async function confirmEmail({ database, now }: Parts, token: string): Promise<boolean> {
  return transaction(database, async (tx) => {
    const link = await tx
      .selectFrom('emailConfirmations')
      .innerJoin('users', 'users.id', 'emailConfirmations.userId')
      .select(['users.id', 'users.emailConfirmedAt', 'emailConfirmations.expiresAt'])
      .where('tokenHash', '=', hashLinkToken(token))
      .executeTakeFirst()
    if (link?.emailConfirmedAt) return false
    if (!link || link.expiresAt.getTime() <= now()) throw fault('invalid_confirmation_token')
    const confirmed = await tx
      .updateTable('users')
      .set({ emailConfirmedAt: new Date(now()) })
      .where('id', '=', link.id)
      .where('emailConfirmedAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    return confirmed !== undefined
  })
}

/**
 * Queues another mail with a link that confirms an account's address; false if the address is
 * confirmed already.
 */
export async function sendAnotherLink(
  { database, jobs }: Pick<Deps, 'database' | 'jobs'>,
  userId: number,
): Promise<boolean> {
  const account = await readAccount(database, userId)
  if (account.emailConfirmedAt) return false
  await enqueueMail(database.kysely, jobs, 'email_confirmation', { userId })
  return true
}

/** Writes the mail with the link, in the account's language; the token is created only now. */
export async function writeConfirmationLink(
  parts: Parts & Pick<Deps, 'config'>,
  { userId }: MailData['email_confirmation'],
  texts: Texts,
): Promise<WrittenMail | null> {
  const { email, locale, emailConfirmedAt } = await readAccount(parts.database, userId)
  if (emailConfirmedAt) return null
  const token = await keepConfirmationToken(parts, userId)
  return confirmEmailMail({ texts, locale, to: email, siteUrl: parts.config.siteUrl, token })
}

function readAccount({ kysely }: Database, userId: number) {
  return kysely
    .selectFrom('users')
    .select(['email', 'locale', 'emailConfirmedAt'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}
