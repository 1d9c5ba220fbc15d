import type { Document } from '../../contract/catalogue.ts'
import { discountPercent, finalPrice, isDiscounted, isFree } from '../../rules/discount.ts'
import type { Millimes } from '../../rules/money.ts'

/** A document's price as pages show it. */
interface ShownPrice {
  now: Millimes
  /** The price before the discount; null without one. */
  old: Millimes | null
  /** Whole percent saved; 0 without a discount. */
  percent: number
  free: boolean
}

export function priceOf(document: Pick<Document, 'price' | 'priceDiscount'>): ShownPrice {
  return {
    now: finalPrice(document),
    old: isDiscounted(document) ? document.price : null,
    percent: discountPercent(document),
    free: isFree(document),
  }
}
