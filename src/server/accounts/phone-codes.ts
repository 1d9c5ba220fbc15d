import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { MINUTE_MS } from '../../rules/durations.ts'
import { CODE_DIGITS, CODE_LIFETIME_MS, CODE_TRIES, type CodePurpose } from '../../rules/sms.ts'
import type { Schema } from '../database/schema.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import type { Limits } from '../http/rate-limits.ts'
import { hasTextsLeft } from '../mail/mail.ts'
import { logStaff, userSubject } from '../staff-log/staff-log.ts'

type Parts = Pick<Deps, 'database' | 'now' | 'secret'>

/** Whose code it is, and what it proves: `account` opens the account, `change` only allows a change. */
export interface CodeOwner {
  readonly userId: number
  readonly phone: string
  readonly purpose: CodePurpose
}

/** Stores a new code in place of an earlier one, and returns it. */
export async function makeCode(
  db: Kysely<Schema>,
  { now, secret }: Omit<Parts, 'database'>,
  owner: CodeOwner,
): Promise<string> {
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
  const made = {
    codeHash: hashCode(secret, owner, code),
    tries: 0,
    expiresAt: new Date(now() + CODE_LIFETIME_MS),
  }
  await db
    .insertInto('phoneCodes')
    .values({ ...owner, ...made })
    .onConflict((row) => row.columns(['userId', 'phone', 'purpose']).doUpdateSet(made))
    .execute()
  return code
}

/**
 * The account of the number, if the code is right. A try counts before the code is compared, so that
 * neither simultaneous tries nor a killed process give more. Throws `wrong_phone_code`.
 */
export async function tryCode(
  { database, now, secret }: Parts,
  { phone, purpose, code, userId }: Omit<CodeOwner, 'userId'> & { code: string; userId?: number },
): Promise<CodeOwner> {
  const whose = userId === undefined ? sql`users.phone = kept.phone` : sql`users.id = ${userId}`
  const { rows } = await sql<{ userId: number; codeHash: string }>`
    UPDATE phone_codes AS kept SET tries = kept.tries + 1 FROM users
    WHERE users.id = kept.user_id AND kept.phone = ${phone} AND kept.purpose = ${purpose}
      AND kept.tries < ${CODE_TRIES} AND kept.expires_at > ${new Date(now())} AND ${whose}
    RETURNING kept.user_id, kept.code_hash`.execute(database.kysely)
  const [kept] = rows
  if (!kept) throw fault('wrong_phone_code')
  const owner = { userId: kept.userId, phone, purpose }
  const typed = Buffer.from(hashCode(secret, owner, code))
  if (!timingSafeEqual(typed, Buffer.from(kept.codeHash))) throw fault('wrong_phone_code')
  return owner
}

/** Uses up a code that was right: of two at the same time, the second finds none. */
export async function useCode(tx: Tx, owner: CodeOwner): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('phoneCodes')
    .where('userId', '=', owner.userId)
    .where('phone', '=', owner.phone)
    .where('purpose', '=', owner.purpose)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw fault('wrong_phone_code')
}

function hashCode(secret: Uint8Array, { userId, phone, purpose }: CodeOwner, code: string): string {
  return createHmac('sha256', secret).update(`${userId} ${phone} ${purpose} ${code}`).digest('hex')
}

/**
 * Counts a message to a number before anything is looked up, so that the answer says nothing about
 * accounts. Throws `too_many_requests`, `no_texts_left`.
 */
export async function countText(deps: Deps, limits: Limits, phone: string): Promise<void> {
  if (!(await hasTextsLeft(deps))) throw fault('no_texts_left')
  await limits.count('phoneCode', phone)
}

/** Confirms the number of an account with the code that was sent to it. Throws `wrong_phone_code`. */
export async function confirmPhone(
  deps: Parts,
  { phone, code }: { phone: string; code: string },
): Promise<void> {
  const owner = await tryCode(deps, { phone, purpose: 'account', code })
  await transaction(deps.database, async (tx) => {
    await useCode(tx, owner)
    await markConfirmed(tx, owner.userId, deps.now())
  })
}

export async function markConfirmed(tx: Tx, userId: number, now: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({ phoneConfirmedAt: new Date(now) })
    .where('id', '=', userId)
    .where('phoneConfirmedAt', 'is', null)
    .execute()
}

export const CODE_MINUTES = CODE_LIFETIME_MS / MINUTE_MS

/**
 * The number of a customer who may have a code read out: an active account without an e-mail, whose
 * log-in it is. Throws `user_not_found`, `account_not_active`, `account_has_email`.
 */
export async function requireReadable(tx: Tx, userId: number): Promise<string> {
  const user = await tx
    .selectFrom('users')
    .select(['email', 'phone', 'passwordHash', 'blockedAt'])
    .where('id', '=', userId)
    .where('role', '=', 'PARENT')
    .executeTakeFirst()
  if (!user) throw fault('user_not_found')
  const { email, phone, passwordHash, blockedAt } = user
  if (email !== null) throw fault('account_has_email')
  if (phone === null || passwordHash === null || blockedAt) throw fault('account_not_active')
  return phone
}

/**
 * Makes a code that an administrator reads out to a customer at the counter, with which they choose
 * a new password; a second has allowed it. Throws as `requireReadable` does.
 */
export async function makeReadCode(
  tx: Tx,
  deps: Omit<Parts, 'database'>,
  { userId, actor }: { userId: number; actor: string },
): Promise<{ phone: string; code: string; expiresAt: string }> {
  const phone = await requireReadable(tx, userId)
  const code = await makeCode(tx, deps, { userId, phone, purpose: 'account' })
  await logStaff(tx, { actor, action: 'read out code', subject: userSubject(userId) })
  return { phone, code, expiresAt: new Date(deps.now() + CODE_LIFETIME_MS).toISOString() }
}
