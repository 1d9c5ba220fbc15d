import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Bytes encrypted with a key made from the shop's secret, as text: who reads the database alone cannot
 * use them. They belong to `owner`, and open for nobody else.
 */
export function seal(secret: Uint8Array, owner: string, bytes: Uint8Array): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, keyOf(secret), iv).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** What was sealed; null where the shop has another secret now, or it was changed. */
export function unseal(secret: Uint8Array, owner: string, text: string): Uint8Array | null {
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
