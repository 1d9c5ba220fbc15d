import { plainSigns } from './pasted-text.ts'

/** What stands beside an amount where it is copied from. */
const CURRENCY_NAME = '(?:DTN?|TND|dinars?|د\\.?ت\\.?|دينار[اً]{0,2})'
const WITH_CURRENCY = new RegExp(`^${CURRENCY_NAME} ?|(?: |(?<=\\d))${CURRENCY_NAME}$`, 'giu')
/** Thousands in groups, with spaces or the Arabic sign between them. */
const GROUPED = /^\d{1,3}(?:[ ٬]\d{3})+(?:[.,٫،]|$)/

/** A typed amount with Latin digits, a dot and nothing else that an amount may be written with. */
function plainAmount(text: string): string {
  const amount = plainSigns(text).replace(WITH_CURRENCY, '').trim()
  return amount.replace(GROUPED, (digits) => digits.replace(/[ ٬]/g, '')).replace(/[,٫،]/, '.')
}

/**
 * A typed amount in dinars; null if it is not one. Reads Latin, Arabic and Persian digits, a dot, a
 * comma or an Arabic separator before the decimals, spaces between thousands, and the currency
 * beside it. Tunisians write three decimals: `7,500` is 7.5, and a third decimal other than 0 is no
 * amount.
 */
export function parseDinars(text: string): number | null {
  const plain = plainAmount(text)
  return /^(?=\.?\d)\d{0,9}(?:\.\d{0,2}0?)?$/.test(plain) ? Number(plain) : null
}

/** Why a text is no amount: it is no number, or has a third decimal, which prices do not have. */
export type AmountProblem = 'pattern' | 'thirdDecimal'

/** Why `parseDinars` does not read a text. */
export function amountProblem(text: string): AmountProblem {
  return /^\d{0,9}\.\d{2}[1-9]$/.test(plainAmount(text)) ? 'thirdDecimal' : 'pattern'
}
