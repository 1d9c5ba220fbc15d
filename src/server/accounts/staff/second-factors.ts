import type { Kysely } from 'kysely'
import encodeQR from 'qr'
import { MINUTE_MS } from '../../../rules/durations.ts'
import { plainCode } from '../../../rules/pasted-text.ts'
import { realBecause } from '../../config/config.ts'
import type { Database } from '../../database/pool.ts'
import type { Schema } from '../../database/schema.ts'
import { type Tx, transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { isBrandWritten, readBrand } from '../../site-texts/site-texts.ts'
import { logOwn, logStaff, userActor, userSubject } from '../../staff-log/staff-log.ts'
import { endSessions } from '../ended-sessions.ts'
import { replaceRecoveryCodes, spendRecoveryCode } from './recovery-codes.ts'
import { seal, unseal } from './sealed-secrets.ts'
import { base32, isTotpCode, makeTotpSecret, matchingStep, otpauthUri } from './totp.ts'

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
