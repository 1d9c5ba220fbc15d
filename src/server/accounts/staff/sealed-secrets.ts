import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { formerKey } from '../../http/secret.ts'

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
