import type { PurchaseFailure } from '../../stores/purchase/direct-purchase.ts'

/** `purchase:modal` of locales. */
export interface PurchaseTexts {
  title: string
  price: string
  balance: string
  after: string
  unknown: string
  refresh: string
  free: string
  insufficient: string
  topUpNeeded: string
  missing: string
  minimum: string
  choice: string
  payWallet: string
  getFree: string
  payDirect: string
  topUp: string
  continue: string
  problem: Readonly<Record<PurchaseFailure, string>> & {
    title: string
    safe: string
    retry: string
    login: string
    close: string
  }
}
