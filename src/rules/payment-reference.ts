import { plainSigns } from './pasted-text.ts'

/** Replaces the reference in a page's URL when the payment is unknown. */
export const UNKNOWN_PAYMENT = 'unknown'

/**
 * A payment's reference in a readable form: `KR-1A2B-3C4D`, from the first 8 of its 24 characters.
 */
export function readableReference(reference: string): string {
  const start = reference.slice(0, 8).toUpperCase()
  return `KR-${start.slice(0, 4)}-${start.slice(4)}`
}

/** In a text; on Arabic keyboards the tatweel looks like a dash. */
const READABLE = /(?:^|\bkr)[- ـ_]*([0-9a-f]{4})[- ـ_]*([0-9a-f]{4})$/

/**
 * The beginning of a typed reference, whole or readable; null if it is neither. Case, the kind of
 * dashes, what stands before it in its line and the signs around it do not count.
 */
export function referenceStart(text: string): string | null {
  const plain = plainReference(text).toLowerCase()
  if (/^[0-9a-f]{24}$/.test(plain)) return plain
  const [, ...parts] = READABLE.exec(plain) ?? []
  return parts.length > 0 ? parts.join('') : null
}

/** A pasted reference of a payment, ours or a gateway's, whose case may matter. */
export function plainReference(text: string): string {
  const plain = plainSigns(text)
  let [start, end] = [0, plain.length]
  while (start < end && isAround(plain.charAt(start))) start++
  while (start < end && isAround(plain.charAt(end - 1))) end--
  return plain.slice(start, end)
}

/** Whether a sign is of the sentence or brackets around a reference. */
const isAround = (sign: string): boolean => !/[0-9A-Za-z_-]/.test(sign)
