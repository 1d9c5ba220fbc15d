import { createHmac, timingSafeEqual } from 'node:crypto'

/** The purpose of a signature, which is invalid for any other purpose. */
type Purpose = 'preview' | 'archive'

/** A signature with the shop's secret, 43 characters of `[A-Za-z0-9_-]`. */
export function signatureOf(secret: Uint8Array, purpose: Purpose, payload: string): string {
  return createHmac('sha256', secret).update(`karras ${purpose} ${payload}`).digest('base64url')
}

/** Whether a signature was made with the shop's secret, compared in constant time. */
export function isSigned(
  secret: Uint8Array,
  purpose: Purpose,
  { payload, signature }: { payload: string; signature: string },
): boolean {
  const expected = Buffer.from(signatureOf(secret, purpose, payload))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
