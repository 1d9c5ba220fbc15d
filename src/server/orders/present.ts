import type { Order } from '../../contract/orders.ts'
import { inDinars } from '../../rules/money.ts'
import { ORDER_LIFETIME_MS } from '../../rules/payment-methods.ts'
import { presentPayment } from '../payments/payments.ts'
import type { OrderRow } from './orders.ts'

/** An order on the wire; until it is paid, its method is that of the payment that runs. */
export function presentOrder(row: OrderRow): Order {
  const { payment, status } = row
  const expiry = payment?.expires_at.getTime() ?? row.created_at.getTime() + ORDER_LIFETIME_MS
  return {
    id: row.id,
    status,
    method: (status === 'paid' ? row.method : (payment?.method ?? row.method)) as Order['method'],
    total: inDinars(row.total),
    createdAt: row.created_at.toISOString(),
    paidAt: row.paid_at?.toISOString() ?? null,
    expiresAt: new Date(expiry).toISOString(),
    receiptNumber: row.receipt_number,
    buyer: { name: row.buyer_name, email: row.buyer_email },
    items: row.items.map((item) => ({
      documentId: item.document_id,
      title: item.title,
      price: inDinars(item.price),
      refundedAt: item.refunded_at === null ? null : new Date(item.refunded_at).toISOString(),
      isOwned: item.is_owned,
    })),
    payment: payment ? presentPayment(payment) : null,
  }
}
