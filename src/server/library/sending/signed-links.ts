import { createHmac, timingSafeEqual } from 'node:crypto'
import { LINK_RESUMES_MS, LINK_STARTS_MS } from '../../../rules/downloads.ts'
import { MINUTE_MS } from '../../../rules/durations.ts'
import { LANGUAGES, type Language } from '../../../rules/languages.ts'

/** The purpose of a signature, which is invalid for any other purpose. */
type Purpose = 'preview' | 'archive' | 'file'

/** A signature with the shop's secret, 43 characters of `[A-Za-z0-9_-]`. */
function signatureOf(secret: Uint8Array, purpose: Purpose, payload: string): string {
  return createHmac('sha256', secret).update(`karras ${purpose} ${payload}`).digest('base64url')
}

/** Whether a signature was made with the shop's secret, compared in constant time. */
function isSigned(
  secret: Uint8Array,
  purpose: Purpose,
  { payload, signature }: { payload: string; signature: string },
): boolean {
  const expected = Buffer.from(signatureOf(secret, purpose, payload))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

export const PREVIEW_LINK_LIFETIME_MS = 10 * MINUTE_MS

/** How long the links to read stay the same, so that browsers find the pictures in their cache. */
const READING_STEP_MS = 5 * MINUTE_MS

interface Linked {
  readonly documentId: number
  readonly userId: number
  /** For the document's teacher and for administrators; absent for buyers. */
  readonly version?: number
  /** The version that the buyer has begun to read. */
  readonly reads?: number
}

const PREVIEW_TOKEN = /^(\d{1,10})-(\d{1,10})(?:-([rv])(\d{1,7}))?-(\d{1,15})-([A-Za-z0-9_-]{43})$/

/** For a frame, which cannot send an Authorization header; `now` in ms since 1970. */
export function signPreview(secret: Uint8Array, of: Linked, now: number): string {
  return sign(secret, of, now + PREVIEW_LINK_LIFETIME_MS)
}

/** Expires within `PREVIEW_LINK_LIFETIME_MS`, earlier by less than `READING_STEP_MS`. */
export function signReading(secret: Uint8Array, of: Linked, now: number) {
  const begun = now - (now % READING_STEP_MS)
  const expiresAt = begun + PREVIEW_LINK_LIFETIME_MS
  return { token: sign(secret, of, expiresAt), expiresAt }
}

/** Null if the token is forged, damaged or expired. */
export function readPreview(secret: Uint8Array, token: string, now: number): Linked | null {
  const [, documentId, userId, kind, version, expiry, signed = ''] = PREVIEW_TOKEN.exec(token) ?? []
  const of = {
    documentId: Number(documentId),
    userId: Number(userId),
    ...(kind === 'v' && { version: Number(version) }),
    ...(kind === 'r' && { reads: Number(version) }),
  }
  const payload = payloadOf(of, Number(expiry))
  if (!isSigned(secret, 'preview', { payload, signature: signed })) return null
  if (Number(expiry) <= now) return null
  return of
}

function sign(secret: Uint8Array, of: Linked, expiry: number): string {
  const payload = payloadOf(of, expiry)
  return `${payload}-${signatureOf(secret, 'preview', payload)}`
}

function payloadOf({ documentId, userId, version, reads }: Linked, expiry: number): string {
  const ofVersion = version === undefined ? '' : `v${version}-`
  const ofReader = reads === undefined ? '' : `r${reads}-`
  return `${documentId}-${userId}-${ofVersion}${ofReader}${expiry}`
}

export interface Archive {
  readonly userId: number
  readonly locale: Language
  /** null: all documents that the customer has bought. */
  readonly documentIds: readonly number[] | null
}

const ALL = 'all'
const ARCHIVE_TOKEN = /^([a-z]{2})-(\d{1,10})-(all|[\d.]+)-(\d{1,15})-([A-Za-z0-9_-]{43})$/

/** Valid until `expiry` (ms since 1970), for a browser that navigates to it. */
export function signArchive(secret: Uint8Array, archive: Archive, expiry: number): string {
  const { locale, userId, documentIds } = archive
  const payload = [locale, userId, documentIds?.join('.') ?? ALL, expiry].join('-')
  return `${payload}-${signatureOf(secret, 'archive', payload)}`
}

/** Null if the token is forged, damaged or expired. */
export function readArchive(secret: Uint8Array, token: string, now: number): Archive | null {
  const [, language, userId, chosen = '', expiry, signature = ''] = ARCHIVE_TOKEN.exec(token) ?? []
  const locale = LANGUAGES.find((known) => known === language)
  const payload = token.slice(0, -signature.length - 1)
  if (!locale || !isSigned(secret, 'archive', { payload, signature })) return null
  if (Number(expiry) <= now) return null
  const documentIds = chosen === ALL ? null : chosen.split('.').map(Number)
  return { locale, userId: Number(userId), documentIds }
}

export interface LinkedFile {
  readonly userId: number
  readonly documentId: number
  /** The one that the link was made for, so that a resumed download gets the same file. */
  readonly version: number
  readonly locale: Language
}

const FILE_TOKEN = /^([a-z]{2})-(\d{1,10})-(\d{1,10})-(\d{1,7})-(\d{1,15})-([A-Za-z0-9_-]{43})$/

/** For a browser that downloads a file; `now` in ms since 1970. */
export function signFile(secret: Uint8Array, file: LinkedFile, now: number): string {
  const { locale, userId, documentId, version } = file
  const payload = [locale, userId, documentId, version, now].join('-')
  return `${payload}-${signatureOf(secret, 'file', payload)}`
}

/**
 * Null if the token is forged, damaged or too old for anything; `mayStart`: a download may still
 * begin with it.
 */
export function readFileLink(
  secret: Uint8Array,
  token: string,
  now: number,
): (LinkedFile & { readonly mayStart: boolean }) | null {
  const [, language, userId, documentId, version, made, signature = ''] =
    FILE_TOKEN.exec(token) ?? []
  const locale = LANGUAGES.find((known) => known === language)
  const payload = token.slice(0, -signature.length - 1)
  if (!locale || !isSigned(secret, 'file', { payload, signature })) return null
  const age = now - Number(made)
  if (age >= LINK_RESUMES_MS) return null
  const file = { userId: Number(userId), documentId: Number(documentId), version: Number(version) }
  return { ...file, locale, mayStart: age < LINK_STARTS_MS }
}
