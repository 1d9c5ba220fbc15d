import type { PurchaseResult } from '../../contract/wallet.ts'
import type { Purchase } from './purchase.ts'

/** Section 3: whether all were new, and the titles of those that were not. */
export function presentPurchase({ owned }: Purchase): PurchaseResult {
  return {
    status: owned.length === 0 ? 'SUCCESS' : 'PARTIAL_SUCCESS',
    excludedDocuments: owned.map(({ id, title }) => ({ id, title })),
  }
}
