import type { Sale, Earned as WireEarned } from '../../../contract/earnings.ts'
import { payableFrom } from '../../../rules/payouts.ts'
import type { Earned } from './earned.ts'
import type { SaleRow } from './sales.ts'

export function presentEarned({ sales, price, share, refunds, refunded }: Earned): WireEarned {
  return { sales, price, share, refunds, refunded }
}

/** A sale as its teacher sees it, with only the first name and an initial of the buyer. */
export function presentSale(sale: SaleRow, holdDays: number): Sale {
  const { orderId, documentId, title, soldAt, price, share, refundedAt } = sale
  return {
    id: `${orderId}-${documentId}`,
    soldAt: soldAt.toISOString(),
    document: { id: documentId, title },
    buyer: shortName(sale),
    price,
    share,
    refundedAt: refundedAt?.toISOString() ?? null,
    payableFrom: share === null ? null : payableFrom(soldAt, holdDays).toISOString(),
  }
}

function shortName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  const [initial] = lastName.trim()
  return initial ? `${firstName} ${initial}.` : firstName
}
