import { normalForm } from './pasted-text.ts'

export const PASSWORD_MIN_LENGTH = 6

/** Limits the work of hashing. */
export const PASSWORD_MAX_LENGTH = 128

/**
 * A password in the form that is hashed and compared (NFKC): keyboards write é or ٱ as one character
 * or as two.
 */
export function passwordForm(password: string): string {
  return normalForm(password, 'NFKC')
}

/** How hard a password is to guess, from its length and variety; only advice, never a refusal. */
export type PasswordStrength = 'short' | 'weak' | 'fair' | 'strong'

const KINDS = [/\p{Ll}/u, /\p{Lu}/u, /\p{Lo}/u, /\p{N}/u, /[^\p{L}\p{N}]/u]

/**
 * The strength of a password. A character that repeats or continues the previous one (`aaaa`,
 * `1234`) counts little; a password with only one kind of characters has to be long.
 */
export function passwordStrength(password: string): PasswordStrength {
  const characters = [...passwordForm(password)]
  if (characters.length < PASSWORD_MIN_LENGTH) return 'short'
  const codes = characters.map((character) => character.codePointAt(0) ?? 0)
  const steps = codes.filter((code, index) => {
    const before = codes[index - 1]
    return before === undefined || Math.abs(code - before) > 1
  }).length
  const length = Math.min(steps, 2 * new Set(codes).size)
  const kinds = KINDS.filter((kind) => kind.test(password)).length
  if (length >= 16 || (length >= 12 && kinds >= 2)) return 'strong'
  return length >= 11 || (length >= 8 && kinds >= 2) ? 'fair' : 'weak'
}
