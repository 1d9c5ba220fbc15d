import { latinDigits } from './digits.ts'

/**
 * A Tunisian phone number as its 8 digits, or null. Reads +216 and 00216, spaces, dots and
 * hyphens between digits, Arabic and Persian digits.
 */
export function normalisePhone(text: string): string | null {
  const compact = latinDigits(text.replace(/[\s\p{Cf}.-]/gu, ''))
  return /^(?:\+216|00216)?([1-9]\d{7})$/.exec(compact)?.[1] ?? null
}
