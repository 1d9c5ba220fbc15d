import { plainNumber } from './pasted-text.ts'

/** The letters that a key can be: without I, O and U, which look like 1, 0 and 4. */
const KEYS = 'ABCDEFGHJKLMNPQRSTVWXYZ'

/** The key of the 7 digits of a tax number: their sum, weighted by 7 to 1, modulo 23. */
function keyOf(digits: string): string {
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (7 - at), 0)
  return KEYS.charAt(sum % KEYS.length)
}

/** A tax number in its usual form, to show what is wanted. */
export const TAX_NUMBER_EXAMPLE = '1234567R/A/M/000'

/**
 * A Tunisian tax number (matricule fiscal) in its usual form, `1282182W/A/M/000`: 7 digits, their
 * key, the letters of the VAT regime and of the category, and the number of the establishment,
 * which only category E (secondary establishments) has. The register of companies (RNE) prints the
 * digits and the key alone: `1282182W`. Older numbers are written without their leading zeros, and
 * people write `MF :` before it. Null if a text, in whatever notation, is none.
 */
export function readTaxNumber(text: string): string | null {
  const [, typed = '', key, regime, category, place = '000'] =
    /^(\d{1,7})([A-Z])(?:([ABDFNP])([CEMNP])(\d{3})?)?$/.exec(plainNumber(text)) ?? []
  const digits = typed.padStart(7, '0')
  if (key !== keyOf(digits)) return null
  if (!regime) return `${digits}${key}`
  if (place !== '000' && category !== 'E') return null
  return `${digits}${key}/${regime}/${category}/${place}`
}
