import type { PurchaseFailure } from '../../stores/purchase/direct-purchase.ts'
import type { PaymentNoticeTexts } from './PaymentNotice.tsx'
import type { ReadingTexts } from './PreviewDialog.tsx'

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

/** `cart:overlays` of locales, `library:reading` and `purchase:modal`. */
export interface OverlaysTexts {
  close: string
  dismiss: string
  viewCart: string
  free: string
  added: string
  anonymous: {
    title: string
    text: string
    minimum: string
    kept: string
    login: string
    continue: string
  }
  loginRequired: { title: string; text: string; login: string; cancel: string }
  wishFailed: string
  wishFull: string
  wishLoggedOut: string
  walletIntro: { title: string; added: string; text: string; minimum: string; ok: string }
  reading: ReadingTexts
  payment: PaymentNoticeTexts
  purchase: PurchaseTexts
}
