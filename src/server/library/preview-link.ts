import { createHmac, timingSafeEqual } from 'node:crypto'
import { MINUTE_MS } from '../../rules/durations.ts'

export const PREVIEW_LINK_LIFETIME_MS = 10 * MINUTE_MS

/** Whose preview of which document a link opens. */
interface PreviewOf {
  readonly documentId: number
  readonly userId: number
  /** Of the file, for the teacher whose document it is and for who reviews it; left out for its buyer. */
  readonly version?: number
}

const TOKEN = /^(\d{1,10})-(\d{1,10})(?:-v(\d{1,7}))?-(\d{1,15})-([A-Za-z0-9_-]{43})$/

/**
 * A token that opens a preview for 10 minutes from `now` (milliseconds since 1970), for a
 * frame, which cannot send an Authorization header.
 */
export function signPreview(secret: Uint8Array, of: PreviewOf, now: number): string {
  const said = saidBy(of, now + PREVIEW_LINK_LIFETIME_MS)
  return `${said}-${signature(secret, said)}`
}

/** What a token opens; null when it is forged, damaged or expired. */
export function readPreview(secret: Uint8Array, token: string, now: number): PreviewOf | null {
  const [, documentId, userId, version, expiry, signed = ''] = TOKEN.exec(token) ?? []
  const of = {
    documentId: Number(documentId),
    userId: Number(userId),
    ...(version && { version: Number(version) }),
  }
  const expected = signature(secret, saidBy(of, Number(expiry)))
  if (signed.length !== expected.length) return null
  if (!timingSafeEqual(Buffer.from(signed), Buffer.from(expected))) return null
  if (Number(expiry) <= now) return null
  return of
}

function saidBy({ documentId, userId, version }: PreviewOf, expiry: number): string {
  return `${documentId}-${userId}-${version === undefined ? '' : `v${version}-`}${expiry}`
}

function signature(secret: Uint8Array, said: string): string {
  // The prefix keeps these signatures apart from all others made with the same secret.
  return createHmac('sha256', secret).update(`karras preview ${said}`).digest('base64url')
}
