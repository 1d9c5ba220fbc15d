import type { Millimes } from './money.ts'
import { MILLIMES_PER_DINAR } from './money.ts'
import { MIN_TOP_UP } from './top-up.ts'

/** A final price below this is a small purchase, paid from the wallet only. */
export const SMALL_PURCHASE_BELOW = 10 * MILLIMES_PER_DINAR

/** A purchase to judge: the final price and the wallet's balance, in millimes. */
export type Purchase = { price: Millimes; balance: Millimes }

/** What the buyer can do, named by the ways to pay that are open. */
export type PurchaseReason =
  | 'wallet_only'
  | 'top_up_required'
  | 'wallet_or_direct'
  | 'direct_or_top_up'

/** The payment-flow evaluation of section 3; the recharge in millimes. */
export type PurchaseOptions = {
  mustUseWallet: boolean
  canPayDirectly: boolean
  needsRecharge: boolean
  minimumRechargeRequired: Millimes
  reason: PurchaseReason
}

/** How a purchase may be paid, around the threshold of 10 dinars (decisions, section 8). */
export function purchaseOptions({ price, balance }: Purchase): PurchaseOptions {
  const direct = canPayDirectly(price)
  const short = !canPayFromWallet({ price, balance })
  return {
    mustUseWallet: !direct,
    canPayDirectly: direct,
    needsRecharge: short,
    minimumRechargeRequired: short ? Math.max(MIN_TOP_UP, price - balance) : 0,
    reason: direct
      ? short
        ? 'direct_or_top_up'
        : 'wallet_or_direct'
      : short
        ? 'top_up_required'
        : 'wallet_only',
  }
}

/** Whether the wallet purchase may start: the balance covers the price (section 4). */
export function canPayFromWallet({ price, balance }: Purchase): boolean {
  return balance >= price
}

/** Whether the direct payment may start: not a small purchase (section 4). */
export function canPayDirectly(price: Millimes): boolean {
  return price >= SMALL_PURCHASE_BELOW
}

/** The wallet's balance after the purchase, in millimes; below 0 where it is short. */
export function balanceAfter({ price, balance }: Purchase): Millimes {
  return balance - price
}
