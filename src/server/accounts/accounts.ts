import type { Registration } from '../../contract/accounts.ts'
import { DEFAULT_LOCALE, type Locale } from '../../i18n/locales.ts'
import { normalisePhone } from '../../rules/phone.ts'
import { moveAnonymousCart } from '../carts/carts.ts'
import type { Database } from '../database/pool.ts'
import type { AccountRole } from '../database/schema.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import type { User } from '../http/route.ts'
import { openWallet } from '../wallet/ledger.ts'
import { enqueueConfirmationLink } from './email-confirmations.ts'
import { announceEnded } from './ended-sessions.ts'
import { hashPassword, isPassword } from './passwords.ts'

/** Who has logged in; what a token is made of. */
export interface Account {
  readonly id: number
  readonly role: AccountRole
  readonly generation: number
  readonly isBlocked: boolean
}

/**
 * Opens a customer's account with an empty wallet, and brings the anonymous cart along; a link that
 * confirms the address is mailed.
 * A taken e-mail or phone is `registration_failed`, which says no more: nobody learns who has an account.
 */
export async function registerCustomer(
  { database, jobs }: Pick<Deps, 'database' | 'jobs'>,
  form: Registration,
): Promise<void> {
  // Before anything is looked up: a taken e-mail must not answer sooner.
  const passwordHash = await hashPassword(form.password)

  await transaction(database, async (tx) => {
    const user = await tx
      .insertInto('users')
      .values({
        email: foldEmail(form.email),
        phone: normalisePhone(form.phone),
        username: form.username,
        first_name: form.firstName,
        last_name: form.lastName,
        gender: form.gender,
        role: 'PARENT',
        locale: form.locale ?? DEFAULT_LOCALE,
        password_hash: passwordHash,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!user) throw fault('registration_failed')

    await openWallet(tx, user.id)
    if (form.sessionId) await moveAnonymousCart(tx, form.sessionId, user.id)
    await enqueueConfirmationLink(tx, jobs, user.id)
  })
}

/** How an account is named at log-in, in one spelling: its phone's 8 digits, or its e-mail. */
export function foldUsername(username: string): string {
  return normalisePhone(username) ?? foldEmail(username)
}

/**
 * The account of an e-mail or phone with its password, or null; both refusals take as long. The
 * shop's own has no password, and is nobody's.
 */
export async function findAccount(
  database: Database,
  username: string,
  password: string,
): Promise<Account | null> {
  const name = foldUsername(username)
  const row = await database.kysely
    .selectFrom('users')
    .select(['id', 'role', 'token_generation', 'password_hash', 'blocked_at'])
    .where(normalisePhone(username) === null ? 'email' : 'phone', '=', name)
    .where('role', '<>', 'SHOP')
    .executeTakeFirst()
  const isRight = await isPassword(password, row?.password_hash ?? null)
  if (!row || !isRight) return null
  return {
    id: row.id,
    role: row.role,
    generation: row.token_generation,
    isBlocked: row.blocked_at !== null,
  }
}

/** The language in which an account is written to from now on. */
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

/** Ends a token for good, and forgets those that have ended by themselves since. */
export async function endToken(database: Database, user: User, now: number): Promise<void> {
  await transaction(database, async (tx) => {
    await tx
      .insertInto('ended_tokens')
      .values({ token_id: user.tokenId, expires_at: new Date(user.tokenExpiry * 1000) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await announceEnded(tx, { tokenId: user.tokenId })
  })
  await database.kysely.deleteFrom('ended_tokens').where('expires_at', '<', new Date(now)).execute()
}

/** An e-mail address in one spelling. */
export function foldEmail(email: string): string {
  return email.trim().toLowerCase()
}
