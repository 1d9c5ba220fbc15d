/** Replaces the reference in a page's URL when the payment is unknown. */
export const UNKNOWN_PAYMENT = 'unknown'

/**
 * A payment's reference in a readable form: `KR-1A2B-3C4D`, from the first 8 of its 24 characters.
 */
export function readableReference(reference: string): string {
  const start = reference.slice(0, 8).toUpperCase()
  return `KR-${start.slice(0, 4)}-${start.slice(4)}`
}

/** The beginning of a typed reference, whole or readable; null if it is neither. */
export function referenceStart(text: string): string | null {
  const plain = text.trim().toLowerCase()
  if (/^[0-9a-f]{24}$/.test(plain)) return plain
  const [, start] = /^(?:kr)?[- ]?([0-9a-f]{4}[- ]?[0-9a-f]{4})$/.exec(plain) ?? []
  return start?.replace(/[- ]/, '') ?? null
}
