import type { Millimes } from './money.ts'
import { MILLIMES_PER_DINAR } from './money.ts'

/** A final price below this is a small purchase, which can only be paid from the wallet. */
export const SMALL_PURCHASE_BELOW = 10 * MILLIMES_PER_DINAR

/** A possible purchase: the final price and the wallet's balance, in millimes. */
export type Purchase = { price: Millimes; balance: Millimes }

/** Whether the wallet purchase may start: the balance covers the price. */
export function canPayFromWallet({ price, balance }: Purchase): boolean {
  return balance >= price
}

/** Whether the direct payment may start: not for a small purchase. */
export function canPayDirectly(price: Millimes): boolean {
  return price >= SMALL_PURCHASE_BELOW
}

/** The wallet's balance after the purchase, in millimes; negative if it does not suffice. */
export function balanceAfter({ price, balance }: Purchase): Millimes {
  return balance - price
}
