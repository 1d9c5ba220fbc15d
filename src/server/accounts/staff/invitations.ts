import type { Kysely } from 'kysely'
import type { Locale } from '../../../i18n/locales.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { HOUR_MS } from '../../../rules/durations.ts'
import type { StaffRole } from '../../../rules/roles.ts'
import type { Schema } from '../../database/schema.ts'
import { type Tx, transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { enqueueMail } from '../../mail/mail.ts'
import { logStaff, userSubject } from '../../staff-log/staff-log.ts'
import { hashLinkToken, makeLinkToken } from '../link-token.ts'
import { foldEmail } from '../log-in.ts'

/** How long the link of an invitation is good. */
export const INVITATION_LIFETIME_MS = 24 * HOUR_MS

export interface Invitation {
  readonly role: StaffRole
  readonly email: string
  /** What is proposed to who takes it; of an account that exists it stays as it is. */
  readonly firstName: string
  readonly lastName: string
  readonly locale: Locale
  readonly actor: string
}

export interface Invited {
  readonly userId: number
  /** False for an account that was there before. */
  readonly isNew: boolean
  /** Sets name and password, once. */
  readonly link: string
}

const WHOSE = {
  PARENT: 'a customer’s',
  TEACHER: 'a teacher’s',
  ADMIN: 'an administrator’s',
  SHOP: 'the shop’s own',
} as const

type Parts = Pick<Deps, 'database' | 'config' | 'now'>

/**
 * Makes an account without a password, and the link that sets it: good once, for 24 hours. Who has
 * such an account already gets a new link, and every older one ends. Throws `email_of_other_role` for an
 * account of a customer or of other staff, `invited_is_blocked`.
 */
export function inviteStaff(parts: Parts, invitation: Invitation): Promise<Invited> {
  return transaction(parts.database, (tx) => inviteWithin(tx, parts, invitation))
}

/** The same in a transaction of the caller's. */
export async function inviteWithin(
  tx: Tx,
  { config, now }: Omit<Parts, 'database'>,
  { role, email, firstName, lastName, locale, actor }: Invitation,
): Promise<Invited> {
  const folded = foldEmail(email)
  const added = await tx
    .insertInto('users')
    .values({
      email: folded,
      phone: null,
      username: fullName(firstName, lastName),
      firstName,
      lastName,
      gender: null,
      role,
      locale,
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
  if (user.role !== role) {
    const message = `${folded} is ${WHOSE[user.role]} account; give another e-mail.`
    throw fault('email_of_other_role', { message })
  }
  if (user.blockedAt) {
    throw fault('invited_is_blocked', { message: `${folded} is blocked; unblock it first.` })
  }

  await tx.deleteFrom('passwordResets').where('userId', '=', user.id).execute()
  await tx.deleteFrom('staffInvitations').where('userId', '=', user.id).execute()
  const token = await keepInvitation(tx, user.id, now())
  const action = role === 'ADMIN' ? 'invite administrator' : 'invite teacher'
  await logStaff(tx, { actor, action, subject: userSubject(user.id) })
  return {
    userId: user.id,
    isNew: added !== undefined,
    link: invitationLink(config.siteUrl, locale, token),
  }
}

/** Mails an invited account its invitation; the link in it is another one, as good as the first. */
export function mailInvitation(
  { database, jobs }: Pick<Deps, 'database' | 'jobs'>,
  userId: number,
): Promise<void> {
  return enqueueMail(database.kysely, jobs, 'staff_invitation', { userId })
}

/** A new token of an invitation; `now` in milliseconds since 1970. */
export async function keepInvitation(
  db: Kysely<Schema>,
  userId: number,
  now: number,
): Promise<string> {
  const token = makeLinkToken()
  const expiresAt = new Date(now + INVITATION_LIFETIME_MS)
  await db
    .insertInto('staffInvitations')
    .values({ tokenHash: hashLinkToken(token), userId, expiresAt })
    .execute()
  return token
}

export function invitationLink(siteUrl: string, locale: Locale, token: string): string {
  return `${siteUrl}${pathIn(locale, '/office/invitation')}?token=${token}`
}

/** What customers see in the chat. */
export function fullName(firstName: string, lastName: string): string {
  return `${firstName} ${lastName}`.trim()
}
