import {
  discountPercent,
  finalPrice,
  isDiscounted,
  isFree,
  type Priced,
} from '../rules/discount.ts'
import type { Millimes } from '../rules/money.ts'

// Not in `rules/discount.ts`, which every page of the shop loads.

/** A price as pages show it. */
interface ShownPrice {
  now: Millimes
  /** The price before the discount; null without one. */
  old: Millimes | null
  /** Whole percent saved; 0 without a discount. */
  percent: number
  free: boolean
}

export function priceOf(priced: Priced): ShownPrice {
  return {
    now: finalPrice(priced),
    old: isDiscounted(priced) ? priced.price : null,
    percent: discountPercent(priced),
    free: isFree(priced),
  }
}
