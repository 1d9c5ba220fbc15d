import { createHmac, timingSafeEqual } from 'node:crypto'
import { MINUTE_MS } from '../../rules/durations.ts'

export const PREVIEW_LINK_LIFETIME_MS = 10 * MINUTE_MS

/** Which document a link previews, and for whom. */
interface PreviewOf {
  readonly documentId: number
  readonly userId: number
  /** The file's version, for the document's teacher and for administrators; absent for buyers. */
  readonly version?: number
}

const TOKEN = /^(\d{1,10})-(\d{1,10})(?:-v(\d{1,7}))?-(\d{1,15})-([A-Za-z0-9_-]{43})$/

/**
 * A token that opens a preview for 10 minutes from `now` (milliseconds since 1970), for a
 * frame, which cannot send an Authorization header.
 */
export function signPreview(secret: Uint8Array, of: PreviewOf, now: number): string {
  const payload = payloadOf(of, now + PREVIEW_LINK_LIFETIME_MS)
  return `${payload}-${signature(secret, payload)}`
}

/** What a token opens; null when it is forged, damaged or expired. */
export function readPreview(secret: Uint8Array, token: string, now: number): PreviewOf | null {
  const [, documentId, userId, version, expiry, signed = ''] = TOKEN.exec(token) ?? []
  const of = {
    documentId: Number(documentId),
    userId: Number(userId),
    ...(version && { version: Number(version) }),
  }
  const expected = signature(secret, payloadOf(of, Number(expiry)))
  if (signed.length !== expected.length) return null
  if (!timingSafeEqual(Buffer.from(signed), Buffer.from(expected))) return null
  if (Number(expiry) <= now) return null
  return of
}

function payloadOf({ documentId, userId, version }: PreviewOf, expiry: number): string {
  return `${documentId}-${userId}-${version === undefined ? '' : `v${version}-`}${expiry}`
}

function signature(secret: Uint8Array, payload: string): string {
  // The prefix keeps these signatures apart from all others made with the same secret.
  return createHmac('sha256', secret).update(`karras preview ${payload}`).digest('base64url')
}
