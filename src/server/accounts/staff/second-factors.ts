import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto'
import type { Kysely } from 'kysely'
import encodeQR from 'qr'
import { MINUTE_MS, SECOND_MS } from '../../../rules/durations.ts'
import { plainCode } from '../../../rules/pasted-text.ts'
import { realBecause } from '../../config/config.ts'
import type { Database } from '../../database/pool.ts'
import type { Schema } from '../../database/schema.ts'
import { type Tx, transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { formerKey } from '../../http/secret.ts'
import { isBrandWritten, readBrand } from '../../site-texts/site-texts.ts'
import { logOwn, logStaff, userActor, userSubject } from '../../staff-log/staff-log.ts'
import { endSessions } from '../ended-sessions.ts'

/** How long a new secret waits for its first code. */
const SETUP_LIFETIME_MS = 30 * MINUTE_MS

type Parts = Pick<Deps, 'database' | 'secret' | 'now'>

/** Whether an account has a second factor, and how many of its recovery codes are left. */
export async function readSecondFactor({ kysely }: Pick<Database, 'kysely'>, userId: number) {
  const { isOn, recoveryCodesLeft } = await kysely
    .selectFrom('users')
    .select(({ exists, selectFrom }) => [
      exists(selectFrom('secondFactors').select('userId').whereRef('userId', '=', 'users.id')).as(
        'isOn',
      ),
      selectFrom('recoveryCodes')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('userId', '=', 'users.id')
        .where('usedAt', 'is', null)
        .as('recoveryCodesLeft'),
    ])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return { isOn: Boolean(isOn), recoveryCodesLeft: Number(recoveryCodesLeft) }
}

/**
 * Makes a secret for an account's authenticator: as text, as a URI, and as the QR code (SVG) of
 * that URI.
 */
export async function startSecondFactor(
  { database, secret, now, config }: Parts & Pick<Deps, 'config'>,
  userId: number,
) {
  const made = makeTotpSecret()
  const setup = {
    sealedSecret: seal(secret, userActor(userId), made),
    expiresAt: new Date(now() + SETUP_LIFETIME_MS),
  }
  await database.kysely
    .insertInto('secondFactorSetups')
    .values({ userId, ...setup })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(setup))
    .execute()
  const { email } = await database.kysely
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const uri = otpauthUri(made, await issuerOf({ database, config }), email ?? '')
  return { secret: base32(made), uri, qr: encodeQR(uri, 'svg', { ecc: 'medium' }) }
}

/**
 * The name under which an authenticator lists the account: the shop's. A real shop that nobody has
 * named yet is called by its address, since an authenticator keeps what it was given.
 */
async function issuerOf({ database, config }: Pick<Deps, 'database' | 'config'>): Promise<string> {
  const isNamed = await isBrandWritten(database.kysely)
  if (!isNamed && realBecause(config) !== null) return new URL(config.siteUrl).hostname
  return (await readBrand(database.kysely)).name.en
}

/**
 * Turns the second factor on with the first code of the authenticator, and ends all sessions of the
 * account. Returns the generation of the next token, and the recovery codes. Throws `wrong_code`.
 */
export async function confirmSecondFactor(
  { database, secret, now }: Parts,
  userId: number,
  typed: string,
): Promise<{ generation: number; recoveryCodes: string[] }> {
  return transaction(database, async (tx) => {
    const setup = await tx
      .selectFrom('secondFactorSetups')
      .select('sealedSecret')
      .where('userId', '=', userId)
      .where('expiresAt', '>', new Date(now()))
      .forUpdate()
      .executeTakeFirst()
    const shared = setup && unseal(secret, userActor(userId), setup.sealedSecret)
    const step = shared ? matchingStep(shared, plainCode(typed), now()) : null
    if (!setup || step === null) throw fault('wrong_code')
    await tx.deleteFrom('secondFactorSetups').where('userId', '=', userId).execute()
    const factor = { sealedSecret: setup.sealedSecret, lastStep: step, since: new Date(now()) }
    await tx
      .insertInto('secondFactors')
      .values({ userId, ...factor })
      .onConflict((conflict) => conflict.column('userId').doUpdateSet(factor))
      .execute()
    const recoveryCodes = await replaceRecoveryCodes(tx, userId)
    const generation = await endSessions(tx, userId)
    await logOwn(tx, userId, 'set up second factor')
    return { generation, recoveryCodes }
  })
}

/** How many accounts' authenticators do not work with a secret of the shop; null: with a new one. */
export async function countStoppedFactors(
  db: Kysely<Schema>,
  secret: Uint8Array | null,
): Promise<number> {
  const factors = await db.selectFrom('secondFactors').select(['userId', 'sealedSecret']).execute()
  return factors.filter(
    ({ userId, sealedSecret }) =>
      secret === null || unseal(secret, userActor(userId), sealedSecret) === null,
  ).length
}

/**
 * Uses up a code of the authenticator or a recovery code; false if it is not valid for the account,
 * or the shop's secret has changed since the authenticator was set up.
 */
export async function passSecondFactor(
  tx: Tx,
  { secret, now }: Pick<Parts, 'secret' | 'now'>,
  userId: number,
  typed: string,
): Promise<boolean> {
  const code = plainCode(typed)
  if (!isTotpCode(code)) {
    const isUsed = await spendRecoveryCode(tx, userId, code, now())
    if (isUsed) await logOwn(tx, userId, 'use recovery code')
    return isUsed
  }
  const factor = await tx
    .selectFrom('secondFactors')
    .select('sealedSecret')
    .where('userId', '=', userId)
    .executeTakeFirst()
  const shared = factor && unseal(secret, userActor(userId), factor.sealedSecret)
  const step = shared ? matchingStep(shared, code, now()) : null
  if (step === null) return false
  // The second of two simultaneous requests with the same code finds it used.
  const taken = await tx
    .updateTable('secondFactors')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('lastStep', '<', step)
    .returning('userId')
    .executeTakeFirst()
  return taken !== undefined
}

export function renewRecoveryCodes({ database }: Parts, userId: number): Promise<string[]> {
  return transaction(database, async (tx) => {
    await logOwn(tx, userId, 'make recovery codes')
    return replaceRecoveryCodes(tx, userId)
  })
}

/** Turns the second factor off; false if it was not on. */
export function turnOffSecondFactor({ database }: Parts, userId: number): Promise<boolean> {
  return transaction(database, async (tx) => {
    const isOff = await forget(tx, userId)
    if (isOff) await logOwn(tx, userId, 'turn off second factor')
    return isOff
  })
}

/**
 * Removes the second factor of an account whose phone and recovery codes are lost, and ends its
 * sessions: the password alone then opens the office, where an administrator has to set up a new
 * one. Returns false if there was none.
 */
export function resetSecondFactor(
  { database }: Pick<Deps, 'database'>,
  { userId, actor, reason }: { userId: number; actor: string; reason: string | null },
): Promise<boolean> {
  return transaction(database, async (tx) => {
    if (!(await forget(tx, userId))) return false
    await endSessions(tx, userId)
    const action = 'reset second factor'
    await logStaff(tx, { actor, action, subject: userSubject(userId), reason })
    return true
  })
}

async function forget(tx: Tx, userId: number): Promise<boolean> {
  await tx.deleteFrom('secondFactorSetups').where('userId', '=', userId).execute()
  await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
  const gone = await tx
    .deleteFrom('secondFactors')
    .where('userId', '=', userId)
    .returning('userId')
    .executeTakeFirst()
  return gone !== undefined
}

// RFC 6238 with the values that every authenticator assumes: SHA-1, 6 digits, 30 seconds.
const STEP_MS = 30 * SECOND_MS
const DIGITS = 6
const SECRET_BYTES = 20

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function makeTotpSecret(): Uint8Array {
  return randomBytes(SECRET_BYTES)
}

/** The time step of a moment in milliseconds since 1970. */
function timeStep(now: number): number {
  return Math.floor(now / STEP_MS)
}

function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = digest.readUInt8(digest.length - 1) & 15
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** The time step (the present one or a neighbour) that has this code; null if none has. */
export function matchingStep(secret: Uint8Array, code: string, now: number): number | null {
  const current = timeStep(now)
  const steps = [current - 1, current, current + 1]
  return steps.find((step) => isSame(totpCode(secret, step), code)) ?? null
}

export function isTotpCode(text: string): boolean {
  return text.length === DIGITS && /^\d+$/.test(text)
}

export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{1,5}/g, (five) => BASE32.charAt(Number.parseInt(five.padEnd(5, '0'), 2)))
}

/** The URI from which an authenticator reads a secret. */
export function otpauthUri(secret: Uint8Array, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}

function isSame(one: string, other: string): boolean {
  const [typed, known] = [Buffer.from(one), Buffer.from(other)]
  return typed.length === known.length && timingSafeEqual(typed, known)
}

/** How many codes an account has; each opens the office once in place of the authenticator. */
const RECOVERY_CODES = 10

// Crockford's base 32: without I, L, O and U, which are mistaken for other characters.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
// 16 characters are 80 bits: impossible to guess, so that a plain hash may be stored.
const GROUPS = 4
const GROUP_LENGTH = 4

/** Replaces all codes of an account with new ones, such as `7K2M-…`, which are shown once. */
export async function replaceRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, makeCode)
  await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
  await tx
    .insertInto('recoveryCodes')
    .values(codes.map((code) => ({ userId, codeHash: hashOf(code) })))
    .execute()
  return codes
}

/** Uses up a code; false if the account does not have it or has used it before. */
export async function spendRecoveryCode(
  tx: Tx,
  userId: number,
  typed: string,
  now: number,
): Promise<boolean> {
  const used = await tx
    .updateTable('recoveryCodes')
    .set({ usedAt: new Date(now) })
    .where('userId', '=', userId)
    .where('codeHash', '=', hashOf(typed))
    .where('usedAt', 'is', null)
    .returning('userId')
    .executeTakeFirst()
  return used !== undefined
}

function makeCode(): string {
  const character = () => ALPHABET.charAt(randomInt(ALPHABET.length))
  const group = () => Array.from({ length: GROUP_LENGTH }, character).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

/**
 * The hash of a code, however it is typed: in small letters, with spaces, or with O and I for
 * digits.
 */
function hashOf(typed: string): string {
  const code = plainCode(typed).toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1')
  return createHash('sha256').update(code).digest('hex')
}

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts bytes with a key derived from the shop's secret and returns them as text, which is
 * useless to someone who reads only the database. Only `unseal` with the same `owner` decrypts it.
 */
export function seal(secret: Uint8Array, owner: string, bytes: Uint8Array): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, keyOf(secret), iv).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** The decrypted bytes; null if the shop's secret, the owner or the text differs. */
export function unseal(secret: Uint8Array, owner: string, text: string): Uint8Array | null {
  return decrypt(secret, owner, text) ?? decrypt(formerKey(secret), owner, text)
}

function decrypt(secret: Uint8Array, owner: string, text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64url')
  const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)]
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(secret), iv).setAAD(Buffer.from(owner))
    decipher.setAuthTag(tag)
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

function keyOf(secret: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'karras second factor', 32))
}
