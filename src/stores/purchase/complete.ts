import type { PurchaseResult } from '../../contract/wallet.ts'
import { clearPaid } from '../cart/cart.ts'
import { loadOwned } from '../library/owned.ts'
import { leaveNotice } from '../shared/notices.ts'
import { settle } from '../shared/settle.ts'
import { loadBalance } from '../wallet/wallet.ts'

/**
 * Leaves the notice of a purchase for "my documents", where the page goes next. Gives the titles of
 * the documents that were owned before, and so not charged.
 */
export function announcePurchase({ status, excludedDocuments }: PurchaseResult): string[] {
  const titles = status === 'SUCCESS' ? [] : excludedDocuments.map(({ title }) => title)
  leaveNotice(status === 'SUCCESS' ? { kind: 'purchased' } : { kind: 'partly_purchased', titles })
  return titles
}

/** Brings the cart, the balance and the list of owned documents up to date. */
export function settlePurchase(documentIds: readonly number[]): Promise<void> {
  return settle([clearPaid(documentIds), loadBalance(), loadOwned()])
}
