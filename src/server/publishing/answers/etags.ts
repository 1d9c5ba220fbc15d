import { createHash } from 'node:crypto'
import type { Encoding } from './compression.ts'

/** The part of a SHA-256 hash by which contents are told apart, in letters, digits, `-` and `_`. */
export const shortHash = (sha256: Buffer): string => sha256.toString('base64url').slice(0, 22)

export const contentHash = (content: Buffer | string): string =>
  shortHash(createHash('sha256').update(content).digest())

/** The tag of a body in an encoding, for `dcz` with the page from which it differs. */
export function etagOf(hash: string, encoding: Encoding | `dcz-${string}`): string {
  return `"${hash}${encoding === 'identity' ? '' : `-${encoding}`}"`
}

/**
 * Whether an `If-None-Match` names the content with this hash, in whatever encoding, by weak
 * comparison (RFC 9110 §13.1.2).
 */
export function namesHash(known: string | undefined, hash: string): boolean {
  if (known === undefined) return false
  if (known.trim() === '*') return true
  return known.split(',').some((tag) => {
    const [, named] = /^\s*(?:W\/)?"([^"]*?)(?:-br|-gzip|-dcz-[\w-]{22})?"\s*$/.exec(tag) ?? []
    return named === hash
  })
}
