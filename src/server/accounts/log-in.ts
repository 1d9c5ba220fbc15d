import type { Locale } from '../../i18n/locales.ts'
import { plainEmail } from '../../rules/pasted-text.ts'
import { normalisePhone } from '../../rules/typed-numbers.ts'
import type { Database } from '../database/pool.ts'
import type { AccountRole } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import type { Limits } from '../http/rate-limits.ts'
import { userActor } from '../staff-log/staff-log.ts'
import { isKnownPlace } from './known-places.ts'

export interface Account {
  readonly id: number
  readonly role: AccountRole
  readonly generation: number
  readonly isBlocked: boolean
  /** Whether its phone number, its only contact, is not confirmed yet. */
  readonly isUnconfirmed: boolean
  /** Whether the account was merged into another one. */
  readonly isClosed: boolean
}

/** The user name for a log-in, normalised: the 8 digits of a phone number, or an e-mail address. */
function foldUsername(username: string): string {
  return normalisePhone(username) ?? foldEmail(username)
}

/** A number that nobody has confirmed is no account's, except to say that it must be confirmed. */
function accountOf({ kysely }: Database, username: string, reachesPhones: boolean) {
  const phone = normalisePhone(username)
  const accounts = kysely
    .selectFrom('users')
    .select(['id', 'role', 'tokenGeneration', 'passwordHash', 'blockedAt', 'mergedInto'])
    .select(['email', 'phoneConfirmedAt'])
    .where('role', '<>', 'SHOP')
  if (phone === null) return accounts.where('email', '=', foldEmail(username)).executeTakeFirst()
  return accounts
    .where('phone', '=', reachesPhones ? phone : '')
    .where((row) => row.or([row('phoneConfirmedAt', 'is not', null), row('email', 'is', null)]))
    .orderBy('phoneConfirmedAt', (order) => order.asc().nullsLast())
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * The account of an e-mail address or, where the shop reaches phones, a confirmed phone number with
 * this password. Refusing an unknown account
 * takes as long as refusing a wrong password. The shop's own account has no password. Throws
 * `wrong_credentials`, `too_many_requests`.
 */
export async function findAccount(
  deps: Pick<Deps, 'database' | 'passwords' | 'secret' | 'sms'>,
  limits: Limits,
  { username, password }: { username: string; password: string },
): Promise<Account> {
  const name = foldUsername(username)
  const row = await accountOf(deps.database, username, deps.sms !== null)
  // An account has as many guesses by its e-mail address and its phone number together.
  const subject = row ? userActor(row.id) : name
  const passwordHash = row?.passwordHash ?? null
  const isAtKnownPlace = await isKnownPlace(deps, row?.id ?? 0, limits.place)
  const tried = { subject, password, passwordHash, isAtKnownPlace }
  const isRight = await tryPassword(deps, limits, tried)
  if (!row || !isRight) throw fault('wrong_credentials')
  return {
    id: row.id,
    role: row.role,
    generation: row.tokenGeneration,
    isBlocked: row.blockedAt !== null,
    isUnconfirmed: row.email === null && row.phoneConfirmedAt === null,
    isClosed: row.mergedInto !== null,
  }
}

/**
 * Whether a password matches the hash of an account, an attempt that counts if it does not. Throws
 * `too_many_requests`, `unavailable`.
 */
export async function tryPassword(
  { passwords }: Pick<Deps, 'passwords'>,
  limits: Limits,
  tried: {
    subject: string
    password: string
    passwordHash: string | null
    /** Where strangers at other addresses do not use up the account's attempts. */
    isAtKnownPlace?: boolean
  },
): Promise<boolean> {
  limits.bound('passwordFromAddress')
  // Before the database counts what could not be tried.
  passwords.refuseCrowd(limits.turn)
  const what = tried.isAtKnownPlace ? 'logInAtKnownPlace' : 'logIn'
  return limits.attempt(what, tried.subject, () => {
    // Only now: strangers whose guesses are refused must not use up the owner's budget.
    const { subject } = tried
    limits.bound('passwordOfAccount', tried.isAtKnownPlace ? `${subject} ${limits.place}` : subject)
    return passwords.isRight(tried.password, tried.passwordHash, limits.turn)
  })
}

export async function keepLocale(
  { kysely }: Database,
  userId: number,
  locale: Locale,
): Promise<void> {
  await kysely
    .updateTable('users')
    .set({ locale })
    .where('id', '=', userId)
    .where('locale', '!=', locale)
    .execute()
}

/** An e-mail address as it is stored and compared. */
export function foldEmail(email: string): string {
  return plainEmail(email).toLowerCase()
}
