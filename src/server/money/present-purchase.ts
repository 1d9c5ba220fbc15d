import type { PurchaseResult } from '../../contract/wallet.ts'
import type { Purchase } from './purchase.ts'

/** A purchase on the wire, with the documents left out because the buyer owned them. */
export function presentPurchase({ owned }: Purchase): PurchaseResult {
  return {
    status: owned.length === 0 ? 'SUCCESS' : 'PARTIAL_SUCCESS',
    excludedDocuments: owned.map(({ documentId, title }) => ({ id: documentId, title })),
  }
}
