import { plainNumber } from './pasted-text.ts'

/** The number of digits of a Tunisian bank account number: bank 2, branch 3, account 13, key 2. */
export const RIB_LENGTH = 20

/** A bank account number as people read it, to show what is wanted. */
export const RIB_EXAMPLE = '08 006 0230110004567 89'

/**
 * A bank account number as it is stored: only its digits, without separators, words before it
 * (`RIB :`), or the start of a Tunisian IBAN, whose check digits are always 59.
 */
export function ribDigits(text: string): string {
  return plainNumber(text).replace(/^59(?=\d{20}$)/, '')
}

/**
 * Whether text is a Tunisian bank account number (RIB): 20 digits, of which the last two are the
 * key.
 */
export function isRib(text: string): boolean {
  const digits = ribDigits(text)
  if (!/^\d{20}$/.test(digits)) return false
  // The key is 97 - (the rest × 100) mod 97, so 01 to 97, and the whole number is a multiple of 97.
  const key = Number(digits.slice(-2))
  return key >= 1 && key <= 97 && BigInt(digits) % 97n === 0n
}

/** A bank account number as people read it: `08 006 0230110004567 89`. */
export function readableRib(rib: string): string {
  return [rib.slice(0, 2), rib.slice(2, 5), rib.slice(5, 18), rib.slice(18)].join(' ').trim()
}
