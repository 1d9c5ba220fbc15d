import { plainSigns } from './pasted-text.ts'

/** How many digits a Tunisian phone number has. */
export const PHONE_DIGITS = 8

const PHONE = new RegExp(`^(?:(?:\\+|00)?216)?([1-9]\\d{${PHONE_DIGITS - 1}})$`)

/**
 * A Tunisian phone number as its 8 digits, or null. Accepts 216, +216 and 00216, what people write
 * between digits (spaces, dots, hyphens of any kind, slashes, parentheses, invisible marks), and
 * Arabic and Persian digits.
 */
export function normalisePhone(text: string): string | null {
  return PHONE.exec(plainSigns(text).replace(/[ .()/ـ-]/g, ''))?.[1] ?? null
}
