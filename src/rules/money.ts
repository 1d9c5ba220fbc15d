/** An amount of money: whole thousandths of a dinar, always a multiple of 10. */
export type Millimes = number

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

/** The largest multiple of `step` that is at most `amount`. */
export const roundDownTo = (step: Millimes, amount: number): Millimes =>
  Math.floor(amount / step) * step

/** Millimes as dinars, the form in the API and in saved carts. */
export function inDinars(millimes: Millimes): number {
  return millimes / MILLIMES_PER_DINAR
}

/** An amount with two decimals and Latin digits, without a currency: `12.50` or `12,50`. */
export function formatAmount(millimes: Millimes, decimal: '.' | ','): string {
  return (Math.round(millimes / 10) / 100).toFixed(2).replace('.', decimal)
}

/** An amount to the millime, as accounts and invoices have it: `12.500` or `12,500`. */
export function formatMillimes(millimes: Millimes, decimal: '.' | ','): string {
  return (millimes / MILLIMES_PER_DINAR).toFixed(3).replace('.', decimal)
}
