import type { CartEntry } from '../../contract/carts.ts'
import { inDinars } from '../../rules/money.ts'
import type { CartRow } from './carts.ts'

/** A cart's row on the wire, in dinars. */
export function presentEntry({ id, title, price, price_discount }: CartRow): CartEntry {
  const priceDiscount = price_discount === null ? null : inDinars(price_discount)
  return { document: { id, title, price: inDinars(price), priceDiscount } }
}
