import { plainSigns } from './pasted-text.ts'

/** The letters that a key can be: without I, O and U, which look like 1, 0 and 4. */
const KEYS = 'ABCDEFGHJKLMNPQRSTVWXYZ'

/** The key of the 7 digits of a tax number: their sum, weighted by 7 to 1, modulo 23. */
function keyOf(digits: string): string {
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (7 - at), 0)
  return KEYS.charAt(sum % KEYS.length)
}

/**
 * A Tunisian tax number (matricule fiscal) in its usual form, `1282182W/A/M/000`: 7 digits, their
 * key, the letters of the VAT regime and of the category, and the number of the establishment,
 * which only category E (secondary establishments) has. Null if a text, in whatever notation, is
 * none.
 */
export function readTaxNumber(text: string): string | null {
  const plain = plainSigns(text)
    .toUpperCase()
    .replace(/[ ./-]/g, '')
  const [, digits = '', key, regime, category, place] =
    /^(\d{7})([A-Z])([ABDFNP])([CEMNP])(\d{3})$/.exec(plain) ?? []
  if (key !== keyOf(digits) || (place !== '000' && category !== 'E')) return null
  return `${digits}${key}/${regime}/${category}/${place}`
}
