import type { PurchaseResult } from '../../contract/wallet.ts'
import type { Purchase } from './purchase.ts'

/** A purchase on the wire: whether all documents were new, and those that were not. */
export function presentPurchase({ owned }: Purchase): PurchaseResult {
  return {
    status: owned.length === 0 ? 'SUCCESS' : 'PARTIAL_SUCCESS',
    excludedDocuments: owned.map(({ documentId, title }) => ({ id: documentId, title })),
  }
}
