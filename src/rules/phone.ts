import { latinDigits } from './digits.ts'

/** How many digits a Tunisian phone number has. */
export const PHONE_DIGITS = 8

const PHONE = new RegExp(`^(?:\\+216|00216)?([1-9]\\d{${PHONE_DIGITS - 1}})$`)

/**
 * A Tunisian phone number as its 8 digits, or null. Accepts +216 and 00216, spaces, dots and
 * hyphens between digits, and Arabic and Persian digits.
 */
export function normalisePhone(text: string): string | null {
  const compact = latinDigits(text.replace(/[\s\p{Cf}.-]/gu, ''))
  return PHONE.exec(compact)?.[1] ?? null
}
