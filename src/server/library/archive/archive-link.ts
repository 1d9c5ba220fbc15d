import { MINUTE_MS } from '../../../rules/durations.ts'
import { LANGUAGES, type Language } from '../../../rules/languages.ts'
import { isSigned, signatureOf } from '../signed-payload.ts'

export const ARCHIVE_LINK_LIFETIME_MS = 10 * MINUTE_MS

/** The content of a link to a ZIP. */
export interface Archive {
  readonly userId: number
  readonly locale: Language
  /** null: all documents that the customer has bought. */
  readonly documentIds: readonly number[] | null
}

const ALL = 'all'
const TOKEN = /^([a-z]{2})-(\d{1,10})-(all|[\d.]+)-(\d{1,15})-([A-Za-z0-9_-]{43})$/

/**
 * A token that opens a ZIP until `expiry` (milliseconds since 1970), for a browser that navigates
 * to it.
 */
export function signArchive(secret: Uint8Array, archive: Archive, expiry: number): string {
  const { locale, userId, documentIds } = archive
  const payload = [locale, userId, documentIds?.join('.') ?? ALL, expiry].join('-')
  return `${payload}-${signatureOf(secret, 'archive', payload)}`
}

/** The ZIP that a token opens; null if the token is forged, damaged or expired. */
export function readArchive(secret: Uint8Array, token: string, now: number): Archive | null {
  const [, language, userId, chosen = '', expiry, signature = ''] = TOKEN.exec(token) ?? []
  const locale = LANGUAGES.find((known) => known === language)
  const payload = token.slice(0, -signature.length - 1)
  if (!locale || !isSigned(secret, 'archive', { payload, signature })) return null
  if (Number(expiry) <= now) return null
  const documentIds = chosen === ALL ? null : chosen.split('.').map(Number)
  return { locale, userId: Number(userId), documentIds }
}
