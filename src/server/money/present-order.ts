import type { Order } from '../../contract/orders.ts'
import { ORDER_LIFETIME_MS } from '../../rules/payment-methods.ts'
import type { OrderRow } from './orders.ts'
import { presentPayment } from './payments.ts'

/** An order on the wire; until it is paid, its method is that of its current payment. */
export function presentOrder(row: OrderRow): Order {
  const { payment, status } = row
  const expiry = payment?.expiresAt.getTime() ?? row.createdAt.getTime() + ORDER_LIFETIME_MS
  return {
    id: row.id,
    status,
    method: (status === 'paid' ? row.method : (payment?.method ?? row.method)) as Order['method'],
    total: row.total,
    createdAt: row.createdAt.toISOString(),
    paidAt: row.paidAt?.toISOString() ?? null,
    expiresAt: new Date(expiry).toISOString(),
    receiptNumber: row.receiptNumber,
    buyer: { name: row.buyerName, email: row.buyerEmail },
    items: row.items.map((item) => ({
      documentId: item.documentId,
      title: item.title,
      price: item.price,
      refundedAt: item.refundedAt === null ? null : new Date(item.refundedAt).toISOString(),
      isOwned: item.isOwned,
    })),
    payment: payment ? presentPayment(payment) : null,
  }
}
