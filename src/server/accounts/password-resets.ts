import { createHash, randomBytes } from 'node:crypto'
import type { Locale } from '../../i18n/locales.ts'
import { RESET_LINK_LIFETIME_MS } from '../../rules/limits.ts'
import type { Database } from '../database/pool.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { resetMail } from '../mail/reset-mail.ts'
import { announceEnded } from './ended-sessions.ts'
import { hashPassword } from './passwords.ts'

type Parts = Pick<Deps, 'config' | 'database' | 'mailer' | 'now'>

/**
 * Sends a link to whoever has this e-mail (folded), in the background. What is waited for is the
 * same for an e-mail that nobody has: one look into an index. Throws `unavailable` when too many
 * mails wait.
 */
export async function postResetLink(deps: Parts, email: string, locale: Locale): Promise<void> {
  const { config, database, mailer, now } = deps
  const user = await database.kysely
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('role', '<>', 'SHOP')
    .executeTakeFirst()
  const isTaken = mailer.post(async () => {
    if (!user) return null
    const token = await keepToken(database, user.id, now())
    return resetMail({ locale, to: email, siteUrl: config.siteUrl, token })
  })
  if (!isTaken) throw fault('unavailable')
}

/** A new token of 256 random bits for this user; those that have expired are forgotten. */
async function keepToken({ kysely }: Database, userId: number, now: number): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await kysely.deleteFrom('password_resets').where('expires_at', '<', new Date(now)).execute()
  await kysely
    .insertInto('password_resets')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      expires_at: new Date(now + RESET_LINK_LIFETIME_MS),
    })
    .execute()
  return token
}

/**
 * Gives the owner of a reset token a new password, and ends every token that logged in before and
 * every other link. Throws `invalid_reset_token` for one that is unknown, used or expired.
 */
export async function changePassword(
  { database, now }: Parts,
  token: string,
  password: string,
): Promise<void> {
  const live = database.kysely
    .selectFrom('password_resets')
    .select('user_id')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', new Date(now()))
  // Hashing is dear: nobody gets it done with a token that is not good.
  if (!(await live.executeTakeFirst())) throw fault('invalid_reset_token')
  const passwordHash = await hashPassword(password)

  await transaction(database, async (tx) => {
    // All links of the user at once: of two that are used together the second finds none.
    const used = await tx
      .deleteFrom('password_resets')
      .where('user_id', '=', live)
      .returning('user_id')
      .execute()
    const userId = used[0]?.user_id
    if (userId === undefined) throw fault('invalid_reset_token')
    await tx
      .updateTable('users')
      .set((row) => ({
        password_hash: passwordHash,
        token_generation: row('token_generation', '+', 1),
      }))
      .where('id', '=', userId)
      .execute()
    await announceEnded(tx, { userId })
  })
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
