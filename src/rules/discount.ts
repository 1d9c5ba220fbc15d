import type { Millimes } from './money.ts'

/** Something with a price and perhaps a discounted price, in millimes. */
export type Priced = { price: Millimes; priceDiscount?: Millimes | null }

/** Whether the discount applies: above 0 and below the price. */
export function isDiscounted(priced: Priced): priced is Priced & { priceDiscount: Millimes } {
  const discounted = priced.priceDiscount ?? 0
  return discounted > 0 && discounted < priced.price
}

/**
 * The price that a buyer pays, in millimes: the discounted price if it applies, otherwise the full
 * price.
 */
export function finalPrice(priced: Priced): Millimes {
  return isDiscounted(priced) ? priced.priceDiscount : priced.price
}

/** The rounded percentage saved, for the badge; 0 without a discount. */
export function discountPercent(priced: Priced): number {
  if (!isDiscounted(priced)) return 0
  return Math.round(((priced.price - priced.priceDiscount) * 100) / priced.price)
}

/** Whether it is shown as "free": the price after the discount is 0. */
export function isFree(priced: Priced): boolean {
  return finalPrice(priced) === 0
}
