import { createHash, randomInt } from 'node:crypto'
import { plainCode } from '../../../rules/pasted-text.ts'
import type { Tx } from '../../database/transaction.ts'

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
