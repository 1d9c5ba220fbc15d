import type { PurchasedDocument } from '../../contract/library.ts'
import type { PurchasedRow } from './library.ts'

/** A bought document on the wire; the other columns have the names that it has there. */
export function presentPurchased(row: PurchasedRow): PurchasedDocument {
  const { title, price, firstName, lastName, rating, purchasedAt, ...same } = row
  return {
    ...same,
    documentTitle: title,
    amount: price,
    teacherName: `${firstName} ${lastName}`.trim(),
    averageRating: Number(rating),
    purchaseDate: purchasedAt.toISOString(),
  }
}
