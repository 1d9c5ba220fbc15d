import { createHash, randomInt } from 'node:crypto'
import type { Tx } from '../../database/transaction.ts'

/** How many codes open the office in place of the authenticator, once each. */
export const RECOVERY_CODES = 10

// Crockford's: no I, L, O or U, which are taken for other characters.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
// 16 characters are 80 bits: too many for a guess, so that a plain hash of them may be kept.
const GROUPS = 4
const GROUP_LENGTH = 4

/** New codes of an account, such as `7K2M-…`, in place of all that it had; they are shown once. */
export async function replaceRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, makeCode)
  await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
  await tx
    .insertInto('recoveryCodes')
    .values(codes.map((code) => ({ userId, codeHash: hashOf(code) })))
    .execute()
  return codes
}

/** Uses a code up; false where it is none of this account's, or was used. */
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

/** Of a code however it was typed: small letters, spaces, and O or I for digits. */
function hashOf(typed: string): string {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return createHash('sha256').update(code).digest('hex')
}
