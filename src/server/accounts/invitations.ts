import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { HOUR_MS } from '../../rules/durations.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { logStaff, userSubject } from '../staff-log/staff-log.ts'
import { foldEmail } from './log-in.ts'
import { keepToken } from './password-resets.ts'

/** How long the link of an invitation is good. */
export const INVITATION_LIFETIME_MS = 24 * HOUR_MS

export interface Invitation {
  readonly email: string
  /** What customers see in the chat; of an account that exists it stays as it is. */
  readonly name: string
  readonly locale: Locale
  readonly actor: string
}

export interface Invited {
  readonly userId: number
  /** False for an administrator who was there before. */
  readonly isNew: boolean
  /** Sets the password, once. */
  readonly link: string
}

const WHOSE = { PARENT: 'a customer’s', TEACHER: 'a teacher’s', SHOP: 'the shop’s own' } as const

/** An e-mail that cannot be invited: its account is another role's, or blocked. */
export class InvitationRefused extends Error {
  override readonly name = 'InvitationRefused'
}

/**
 * Makes an administrator without a password, and the link that sets it: good once, for 24 hours. An
 * administrator who is there already gets a new link, and every older one ends. Throws
 * `InvitationRefused`.
 */
export function inviteAdministrator(
  { database, config, now }: Pick<Deps, 'database' | 'config' | 'now'>,
  { email, name, locale, actor }: Invitation,
): Promise<Invited> {
  const folded = foldEmail(email)
  return transaction(database, async (tx) => {
    const added = await tx
      .insertInto('users')
      .values({
        email: folded,
        phone: null,
        username: name,
        firstName: name,
        lastName: '',
        gender: null,
        role: 'ADMIN',
        passwordHash: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'role', 'blockedAt'])
      .executeTakeFirst()
    const user =
      added ??
      (await tx
        .selectFrom('users')
        .select(['id', 'role', 'blockedAt'])
        .where('email', '=', folded)
        .forUpdate()
        .executeTakeFirstOrThrow())
    if (user.role !== 'ADMIN') {
      throw new InvitationRefused(`${folded} is ${WHOSE[user.role]} account; give another e-mail.`)
    }
    if (user.blockedAt) throw new InvitationRefused(`${folded} is blocked; unblock it first.`)

    await tx.deleteFrom('passwordResets').where('userId', '=', user.id).execute()
    const token = await keepToken({ kysely: tx }, user.id, now(), INVITATION_LIFETIME_MS)
    await logStaff(tx, { actor, action: 'invite administrator', subject: userSubject(user.id) })
    return {
      userId: user.id,
      isNew: added !== undefined,
      link: `${config.siteUrl}${pathIn(locale, '/choose-password')}?token=${token}`,
    }
  })
}
