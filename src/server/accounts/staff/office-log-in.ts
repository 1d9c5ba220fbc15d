import type { Locale } from '../../../i18n/locales.ts'
import { transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import type { Limits } from '../../http/rate-limits.ts'
import type { Origin, User } from '../../http/route.ts'
import { logOwn, logStaff, userActor, userSubject } from '../../staff-log/staff-log.ts'
import { endSessions } from '../ended-sessions.ts'
import { keepPlace } from '../known-places.ts'
import { findAccount, keepLocale, tryPassword } from '../log-in.ts'
import { openLogIn } from '../log-ins.ts'
import { passSecondFactor, readSecondFactor } from './second-factors.ts'

interface OfficeLogIn {
  readonly username: string
  readonly password: string
  readonly code: string | null
  readonly locale: Locale | null
  readonly from: Origin
}

/**
 * Returns a token of the office, or null if the password is right and a code of the second factor
 * is needed. Refusing an unknown account takes as long as refusing a wrong password. Throws
 * `wrong_credentials`, `account_blocked`, `wrong_role` for a customer, `wrong_code` and
 * `too_many_requests`.
 */
export async function logInToOffice(
  deps: Deps,
  limits: Limits,
  { username, password, code, locale, from }: OfficeLogIn,
): Promise<string | null> {
  const account = await findAccount(deps, limits, { username, password })
  // Checked after the password: without it nobody learns anything about the account.
  if (account.isBlocked) throw fault('account_blocked')
  if (account.role === 'PARENT') throw fault('wrong_role')
  const { isOn } = await readSecondFactor(deps.database, account.id)
  if (isOn && code === null) return null
  if (isOn) await requireCode(deps, limits, account.id, code ?? '')
  if (locale) await keepLocale(deps.database, account.id, locale)
  await transaction(deps.database, (tx) => logOwn(tx, account.id, 'log in'))
  await keepPlace(deps, account.id, limits.place)
  return openLogIn(deps, { ...account, factors: isOn ? 2 : 1 }, from)
}

/**
 * Requires the password again, and a code if the second factor is on, before an action that a
 * stranger at an unattended screen must not take. Throws `wrong_password`, `wrong_code`,
 * `too_many_requests`.
 */
export async function requireProof(
  deps: Deps,
  limits: Limits,
  userId: number,
  { password, code }: { password: string; code?: string | null | undefined },
): Promise<void> {
  await requirePassword(deps, limits, userId, password)
  const { isOn } = await readSecondFactor(deps.database, userId)
  if (isOn) await requireCode(deps, limits, userId, code ?? '')
}

/** Changes the password and ends all sessions. Returns the generation of the next token. */
export async function changeOwnPassword(
  deps: Deps,
  limits: Limits,
  userId: number,
  { password, newPassword }: { password: string; newPassword: string },
): Promise<number> {
  await requirePassword(deps, limits, userId, password)
  const passwordHash = await deps.passwords.hash(newPassword, limits.turn)
  return transaction(deps.database, async (tx) => {
    await tx.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute()
    // A link mailed earlier must not undo the change.
    await tx.deleteFrom('passwordResets').where('userId', '=', userId).execute()
    await logOwn(tx, userId, 'change password')
    return endSessions(tx, userId)
  })
}

/**
 * Ends all sessions of an account; `actor` is its owner by default. Returns the generation of the
 * next token.
 */
export function endAllSessions(
  { database }: Pick<Deps, 'database'>,
  userId: number,
  actor = userActor(userId),
): Promise<number> {
  return transaction(database, async (tx) => {
    await logStaff(tx, { actor, action: 'end sessions', subject: userSubject(userId) })
    return endSessions(tx, userId)
  })
}

export function renewToken(
  deps: Deps,
  user: User,
  generation: number,
  from: Origin,
): Promise<string> {
  return openLogIn(deps, { ...user, generation, factors: user.factors ?? 1 }, from)
}

async function requirePassword(deps: Deps, limits: Limits, userId: number, password: string) {
  const { passwordHash } = await deps.database.kysely
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const tried = { subject: userActor(userId), password, passwordHash }
  if (!(await tryPassword(deps, limits, tried))) throw fault('wrong_password')
}

async function requireCode(deps: Deps, limits: Limits, userId: number, code: string) {
  const isPassed = await limits.attempt('secondFactor', userId, () =>
    transaction(deps.database, (tx) => passSecondFactor(tx, deps, userId, code)),
  )
  if (!isPassed) throw fault('wrong_code')
}
