import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { Kysely } from 'kysely'
import { MINUTE_MS } from '../../rules/durations.ts'
import {
  CODE_DIGITS,
  CODE_LIFETIME_MS,
  CODE_TRIES,
  type CodePurpose,
  READ_OUT_TRIES,
  type RequestPurpose,
} from '../../rules/sms.ts'
import type { Schema } from '../database/schema.ts'
import { codeOf, UNIQUE_VIOLATION } from '../database/start-error.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import type { Limits } from '../http/rate-limits.ts'
import { hasTextsLeft } from '../mail/mail.ts'
import { logStaff, userSubject } from '../staff-log/staff-log.ts'
import { isKnownPlace } from './known-places.ts'
import { hashLinkToken, makeLinkToken } from './link-token.ts'
import { noteCameBack } from './newcomer-texts.ts'

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
  const code = newCode()
  const made = {
    codeHash: hashCode(secret, nameOf(owner), code),
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
 * The owner of a code that belongs to an account, if it is right. A try counts before the code is
 * compared, so that neither simultaneous tries nor a killed process give more. Throws
 * `wrong_phone_code`.
 */
export async function tryCode(
  { database, now, secret }: Parts,
  {
    userId,
    phone,
    purpose,
    code,
    tries = CODE_TRIES,
  }: CodeOwner & { code: string; tries?: number },
): Promise<CodeOwner> {
  const kept = await database.kysely
    .updateTable('phoneCodes')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('userId', '=', userId)
    .where('phone', '=', phone)
    .where('purpose', '=', purpose)
    .where('tries', '<', tries)
    .where('expiresAt', '>', new Date(now()))
    .returning('codeHash')
    .executeTakeFirst()
  const owner = { userId, phone, purpose }
  if (!kept || !isSame(hashCode(secret, nameOf(owner), code), kept.codeHash)) {
    throw fault('wrong_phone_code')
  }
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

const newCode = () => String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')

const nameOf = ({ userId, phone, purpose }: CodeOwner) => `${userId} ${phone} ${purpose}`

function hashCode(secret: Uint8Array, name: string, code: string): string {
  return createHmac('sha256', secret).update(`${name} ${code}`).digest('hex')
}

const isSame = (a: string, b: string) => timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** A change's code, in the count of those that came back. */
export const changeKey = (userId: number, phone: string) => `change ${userId} ${phone}`

/**
 * Names a browser that asked for a code without a log-in. Only it knows the request, so nobody else uses up
 * the tries of the code. The answer has it whether or not the number is known.
 */
export function newRequest(): { request: string; hash: string } {
  const request = makeLinkToken()
  return { request, hash: hashLinkToken(request) }
}

/** A request that its browser names again. */
export const knownRequest = (request: string) => ({ request, hash: hashLinkToken(request) })

interface CodeRequest {
  readonly hash: string
  /** Null: of an account that is only opened with it. */
  readonly userId: number | null
  readonly phone: string
  readonly purpose: RequestPurpose
}

/** Stores a new code of a request in place of its earlier one, and returns it. */
export async function makeRequestedCode(
  { database, now, secret }: Parts,
  { hash, ...owner }: CodeRequest,
): Promise<string> {
  const code = newCode()
  const made = {
    codeHash: hashCode(secret, hash, code),
    tries: 0,
    expiresAt: new Date(now() + CODE_LIFETIME_MS),
  }
  await database.kysely
    .insertInto('codeRequests')
    .values({ requestHash: hash, ...owner, ...made })
    .onConflict((row) => row.column('requestHash').doUpdateSet(made))
    .execute()
  return code
}

interface Typed {
  readonly phone: string
  readonly code: string
  /** The request that the code was sent for; null: it was read out at the counter. */
  readonly request: string | null
}

/** A code that was right, and how it is used up: of two at the same time, the second finds none. */
interface RightCode<Whose = number> {
  readonly userId: Whose
  use(tx: Tx): Promise<void>
}

/** Tries the code of a request, or else one that was read out. Throws `wrong_phone_code`. */
async function tryTyped(
  deps: Parts,
  limits: Limits,
  purpose: RequestPurpose,
  { phone, code, request }: Typed,
): Promise<RightCode> {
  const { userId = null, use } =
    (await tryRequested(deps, purpose, { phone, code, request: request ?? '' })) ?? {}
  if (userId !== null && use) return { userId, use }
  const owner = await tryReadOut(deps, limits, { phone, code })
  return { userId: owner.userId, use: (tx) => useCode(tx, owner) }
}

/** Tries the code of a request; null: it is not right. */
export async function tryRequested(
  { database, now, secret }: Parts,
  purpose: RequestPurpose,
  { phone, code, request }: Typed & { request: string },
): Promise<RightCode<number | null> | null> {
  const hash = hashLinkToken(request)
  const asked = await database.kysely
    .updateTable('codeRequests')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('requestHash', '=', hash)
    .where('phone', '=', phone)
    .where('purpose', '=', purpose)
    .where('tries', '<', CODE_TRIES)
    .where('expiresAt', '>', new Date(now()))
    .returning(['userId', 'codeHash'])
    .executeTakeFirst()
  if (!asked || !isSame(hashCode(secret, hash, code), asked.codeHash)) return null
  const use = async (tx: Tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('codeRequests')
      .where('requestHash', '=', hash)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw fault('wrong_phone_code')
    await noteCameBack(tx, hash, now())
  }
  return { userId: asked.userId, use }
}

/** Tries the code that an administrator read out, which every address may try a few times. */
async function tryReadOut(
  deps: Parts,
  limits: Limits,
  { phone, code }: Omit<Typed, 'request'>,
): Promise<CodeOwner> {
  const kept = await deps.database.kysely
    .selectFrom('phoneCodes')
    .select('userId')
    .where('phone', '=', phone)
    .where('purpose', '=', 'account')
    .where('expiresAt', '>', new Date(deps.now()))
    .orderBy('expiresAt', 'desc')
    .executeTakeFirst()
  if (!kept) throw fault('wrong_phone_code')
  const giveBack = await limits.count('readOutCode', phone)
  const tried = {
    userId: kept.userId,
    phone,
    purpose: 'account',
    code,
    tries: READ_OUT_TRIES,
  } as const
  const owner = await tryCode(deps, tried)
  await giveBack()
  return owner
}

/**
 * Counts a message to a number before anything is looked up, so that the answer says nothing about
 * accounts. Where the number's account has logged in before, strangers at other addresses do not
 * use up its messages. Throws `too_many_requests`, `no_texts_left`.
 */
export async function countText(
  deps: Deps,
  limits: Limits,
  phone: string,
  rule: 'phoneCode' | 'phoneRegistration' = 'phoneCode',
): Promise<void> {
  if (!(await hasTextsLeft(deps))) throw fault('no_texts_left')
  const owner = await deps.database.kysely
    .selectFrom('users')
    .select('id')
    .where('phone', '=', phone)
    .where('phoneConfirmedAt', 'is not', null)
    .executeTakeFirst()
  const isKnown = await isKnownPlace(deps, owner?.id ?? 0, limits.place)
  await limits.count(rule, isKnown ? `${phone} ${limits.place}` : phone)
}

/**
 * Confirms the number of the account that was registered with it. Throws `wrong_phone_code`, and
 * `contact_taken` where another account has confirmed it meanwhile.
 */
export async function confirmPhone(deps: Parts, limits: Limits, typed: Typed): Promise<void> {
  const right = await tryTyped(deps, limits, 'register', typed)
  await transaction(deps.database, async (tx) => {
    await right.use(tx)
    await markConfirmed(tx, right.userId, deps.now())
  })
}

/** Opens an account in return for a right code, and confirms the number. Throws as `confirmPhone`. */
export const tryResetCode = (deps: Parts, limits: Limits, typed: Typed): Promise<RightCode> =>
  tryTyped(deps, limits, 'reset', typed)

/** Throws `contact_taken` where another account has the number, confirmed. */
export async function markConfirmed(tx: Tx, userId: number, now: number): Promise<void> {
  const confirming = tx
    .updateTable('users')
    .set({ phoneConfirmedAt: new Date(now) })
    .where('id', '=', userId)
    .where('phoneConfirmedAt', 'is', null)
    .execute()
  await confirming.catch((error) => {
    throw codeOf(error) === UNIQUE_VIOLATION ? fault('contact_taken') : error
  })
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
