import { createHmac, timingSafeEqual } from 'node:crypto'
import { MINUTE_MS } from '../../rules/durations.ts'

export const PREVIEW_LINK_LIFETIME_MS = 10 * MINUTE_MS

/** Whose preview of which document a link opens. */
interface PreviewOf {
  readonly documentId: number
  readonly userId: number
}

const TOKEN = /^(\d{1,10})-(\d{1,10})-(\d{1,15})-([A-Za-z0-9_-]{43})$/

/**
 * A token that opens a buyer's preview for 10 minutes from `now` (milliseconds since 1970), for a
 * frame, which cannot send an Authorization header.
 */
export function signPreview(secret: Uint8Array, of: PreviewOf, now: number): string {
  const said = `${of.documentId}-${of.userId}-${now + PREVIEW_LINK_LIFETIME_MS}`
  return `${said}-${signature(secret, said)}`
}

/** What a token opens; null when it is forged, damaged or expired. */
export function readPreview(secret: Uint8Array, token: string, now: number): PreviewOf | null {
  const [, documentId = '', userId = '', expiry = '', signed = ''] = TOKEN.exec(token) ?? []
  const expected = signature(secret, `${documentId}-${userId}-${expiry}`)
  if (signed.length !== expected.length) return null
  if (!timingSafeEqual(Buffer.from(signed), Buffer.from(expected))) return null
  if (Number(expiry) <= now) return null
  return { documentId: Number(documentId), userId: Number(userId) }
}

function signature(secret: Uint8Array, said: string): string {
  // The prefix keeps these signatures apart from all others made with the same secret.
  return createHmac('sha256', secret).update(`karras preview ${said}`).digest('base64url')
}
