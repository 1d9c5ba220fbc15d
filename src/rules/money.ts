import { plainSigns } from './pasted-text.ts'

/** An amount of money: whole thousandths of a dinar, always a multiple of 10. */
export type Millimes = number

/** Millimes in one Tunisian dinar. */
export const MILLIMES_PER_DINAR = 1000

/** The highest price that saved data may have; a higher one counts as invalid. */
export const MAX_PRICE = 1_000_000 * MILLIMES_PER_DINAR

export const CURRENCY = 'TND'

/**
 * An amount in dinars as millimes, rounded to 2 decimals, halves away from zero. Throws RangeError
 * if the amount is not a number or too large to be exact.
 */
export function dinars(amount: number): Millimes {
  // 15 digits restore the intended decimal: 1.005 * 100 is 100.49999999999999.
  const hundredths = Math.round(Number((Math.abs(amount) * 100).toPrecision(15)))
  const millimes = Math.sign(amount) * hundredths * 10 || 0
  if (Number.isNaN(amount) || !Number.isSafeInteger(millimes)) {
    throw new RangeError(`not an amount in dinars: ${amount}`)
  }
  return millimes
}

/** Millimes as dinars, the form in the API and in saved carts. */
export function inDinars(millimes: Millimes): number {
  return millimes / MILLIMES_PER_DINAR
}

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

/** An amount with two decimals and Latin digits, without a currency: `12.50` or `12,50`. */
export function formatAmount(millimes: Millimes, decimal: '.' | ','): string {
  return (Math.round(millimes / 10) / 100).toFixed(2).replace('.', decimal)
}
