import type { Kysely } from 'kysely'
import type { Locale } from '../../../i18n/locales.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { HOUR_MS } from '../../../rules/durations.ts'
import { fullName } from '../../../rules/full-name.ts'
import type { StaffRole } from '../../../rules/roles.ts'
import type { Schema } from '../../database/schema.ts'
import { type Tx, transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { enqueueMail, tellTeam } from '../../mail/mail.ts'
import { doneBefore, logStaff, userSubject } from '../../staff-log/staff-log.ts'
import { keepLinkToken } from '../link-token.ts'
import { foldEmail } from '../log-in.ts'

/** How long the link of an invitation is valid. */
export const INVITATION_LIFETIME_MS = 24 * HOUR_MS

export interface Invitation {
  readonly role: StaffRole
  readonly email: string
  /** The name proposed to the invited person; an existing account keeps its name. */
  readonly firstName: string
  readonly lastName: string
  readonly locale: Locale
  readonly actor: string
}

export interface Invited {
  readonly userId: number
  /** False for an account that existed before. */
  readonly isNew: boolean
  /** The address at which the invited person sets name and password, once. */
  readonly link: string
}

const WHOSE = {
  PARENT: 'a customer’s',
  TEACHER: 'a teacher’s',
  ADMIN: 'an administrator’s',
  SHOP: 'the shop’s own',
} as const

type Parts = Pick<Deps, 'database' | 'jobs' | 'config' | 'now'>

/**
 * Creates an account without a password, and the link that sets one: valid once, for
 * `INVITATION_LIFETIME_MS`. An existing account of the role gets a new link, which replaces its
 * older ones. Throws `email_of_other_role` for an account of another role, and
 * `invited_is_blocked`.
 */
export function inviteStaff(parts: Parts, invitation: Invitation): Promise<Invited> {
  return transaction(parts.database, (tx) => inviteWithin(tx, parts, invitation))
}

export async function inviteWithin(
  tx: Tx,
  { config, jobs, now }: Omit<Parts, 'database'>,
  { role, email, firstName, lastName, locale, actor }: Invitation,
): Promise<Invited> {
  const folded = foldEmail(email)
  const added = await tx
    .insertInto('users')
    .values({
      email: folded,
      phone: null,
      username: fullName({ firstName, lastName }),
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

  // An invitation that is sent again is in the language chosen this time.
  await tx
    .updateTable('users')
    .set({ locale })
    .where('id', '=', user.id)
    .where('passwordHash', 'is', null)
    .execute()
  await tx.deleteFrom('passwordResets').where('userId', '=', user.id).execute()
  await tx.deleteFrom('staffInvitations').where('userId', '=', user.id).execute()
  const token = await keepInvitation(tx, user.id, now())
  const action = role === 'ADMIN' ? 'invite administrator' : 'invite teacher'
  await logStaff(tx, { actor, action, subject: userSubject(user.id) })
  if (role === 'ADMIN') {
    await tellTeam(tx, jobs, 'administrator_invited', { invitedId: user.id, by: actor })
  }
  return {
    userId: user.id,
    isNew: added !== undefined,
    link: invitationLink(config.siteUrl, locale, token),
  }
}

/**
 * Mails a new link to a person who was invited and has not joined. Throws `user_not_found`,
 * `already_joined`.
 */
export function inviteAgain(
  { database, jobs, ...parts }: Parts,
  { userId, actor }: { userId: number; actor: string },
): Promise<void> {
  return transaction(database, async (tx) => {
    const { role, ...invited } = await lockInvited(tx, userId)
    await inviteWithin(tx, { jobs, ...parts }, { ...invited, role, actor })
    await enqueueMail(tx, jobs, 'staff_invitation', { userId })
  })
}

/**
 * Withdraws an invitation that was not accepted and deletes its account, so that the address is
 * free again. Throws `user_not_found`, `already_joined`.
 */
export function withdrawInvitation(
  { database }: Pick<Deps, 'database'>,
  { userId, actor }: { userId: number; actor: string },
): Promise<void> {
  return transaction(database, async (tx) => {
    const { email } = await lockInvited(tx, userId)
    await tx.deleteFrom('staffInvitations').where('userId', '=', userId).execute()
    await tx.deleteFrom('mailCounts').where('userId', '=', userId).execute()
    await tx.deleteFrom('users').where('id', '=', userId).execute()
    const subject = userSubject(userId)
    // The name is deleted with the account; the log keeps the e-mail address.
    await logStaff(tx, { actor, action: 'withdraw invitation', subject, reason: email })
  })
}

async function lockInvited(tx: Tx, userId: number) {
  const user = await tx
    .selectFrom('users')
    .select(['email', 'role', 'firstName', 'lastName', 'locale', 'passwordHash'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!user) throw (await doneBefore(tx, withdrawalOf(userId))) ?? fault('user_not_found')
  const { role, passwordHash, email, ...invited } = user
  if (passwordHash !== null || email === null || (role !== 'ADMIN' && role !== 'TEACHER'))
    throw fault('already_joined')
  return { ...invited, email, role }
}

const withdrawalOf = (userId: number) => ({
  subject: userSubject(userId),
  actions: ['withdraw invitation'] as const,
})

/** Mails an invited account its invitation, with a separate link beside the printed one. */
export function mailInvitation(
  { database, jobs }: Pick<Deps, 'database' | 'jobs'>,
  userId: number,
): Promise<void> {
  return enqueueMail(database.kysely, jobs, 'staff_invitation', { userId })
}

/** Stores a new token of an invitation and returns it; `now` is in milliseconds since 1970. */
export const keepInvitation = (db: Kysely<Schema>, userId: number, now: number): Promise<string> =>
  keepLinkToken(db, 'staffInvitations', userId, now + INVITATION_LIFETIME_MS)

export function invitationLink(siteUrl: string, locale: Locale, token: string): string {
  return `${siteUrl}${pathIn(locale, '/office/invitation')}?token=${token}`
}
