import { type Kysely, sql } from 'kysely'
import type { Invoice } from '../../contract/invoices.ts'
import type { Order } from '../../contract/orders.ts'
import type { Millimes } from '../../rules/money.ts'
import { ORDER_LIFETIME_MS } from '../../rules/payment-methods.ts'
import type { OrderStatus } from '../../rules/payment-states.ts'
import { takeOutOfCart } from '../carts/carts.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn } from '../database/sql-parts.ts'
import type { Tx } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'
import { atCodePrices, lockCode } from './codes/apply.ts'
import { noteLink } from './earnings/links.ts'
import { invoicesOf } from './invoices/invoices.ts'
import { lockOwnWallet, post } from './ledger.ts'
import { type Payment, presentPayment } from './payments.ts'
import { writePaidOrder } from './purchase.ts'
import {
  countSales,
  PRICE_BEFORE,
  priceChanged,
  readRequested,
  type SoldItem,
  totalOf,
  type Wanted,
} from './sale.ts'
import { shareSale } from './shares.ts'
import { makeRoom, replaceOwned } from './waiting-orders.ts'

export interface PlacedOrder {
  readonly id: number
  readonly total: Millimes
  /** Empty until the order is paid; free documents are granted at once. */
  readonly sold: readonly SoldItem[]
}

interface OrderRequest extends Wanted {
  readonly buyerId: number
  /** What the buyer was shown that they cost. */
  readonly total?: Millimes | undefined
  /** What the buyer read before paying (`consentTo`). */
  readonly notice?: string | null
  /** The teacher's link by which the buyer came. */
  readonly link?: string | undefined
}

/**
 * Places an order of documents at the prices of this moment, pending until it is paid. Throws
 * `document_not_found`, and with their titles `already_owned` for those that the buyer owns and
 * `already_ordered` for those in another order that waits; `price_changed` if the buyer was shown another total.
 */
export async function placeOrder(
  tx: Tx,
  { buyerId, documentIds, bundleIds, code, total: seen, notice = null, link }: OrderRequest,
): Promise<PlacedOrder> {
  await lockOwnWallet(tx, buyerId)
  const before = await readRequested(tx, buyerId, { documentIds, bundleIds })
  const owned = before.filter(({ isOwned }) => isOwned)
  if (owned.length > 0) throw fault('already_owned', { titles: owned.map(({ title }) => title) })
  if (before.length < documentIds.length || before.some(({ isPublished }) => !isPublished)) {
    throw fault('document_not_found')
  }
  const hasOrders = before[0]?.hasOrders ?? false
  // An order that is replaced gives its use of the code back.
  if (hasOrders) await makeRoom(tx, buyerId, documentIds)
  await lockCode(tx, code)
  const { items: requested, codeId, refusal } = await atCodePrices(tx, before, { buyerId, code })
  const total = totalOf(requested)
  if (seen === undefined && refusal) throw fault(refusal)
  if (seen !== undefined && seen !== total) throw priceChanged(requested)
  if (total > 0) {
    const id = await writePendingOrder(tx, { buyerId, notice, codeId }, requested)
    await noteLink(tx, id, link)
    return { id, total, sold: [] }
  }
  await takeOutOfCart(tx, buyerId, documentIds)
  const { items, entries } = await shareSale(tx, requested)
  const id = await writePaidOrder(tx, { buyerId, items, notice, codeId })
  // What a code of the shop has made free is paid by the shop.
  await post(tx, { kind: 'purchase', orderId: id, entries })
  if (hasOrders) await replaceOwned(tx, buyerId)
  await countSales(tx, requested)
  return { id, total, sold: requested }
}

async function writePendingOrder(
  tx: Tx,
  of: { buyerId: number; notice: string | null; codeId: number | null },
  items: readonly SoldItem[],
): Promise<number> {
  const { id } = await tx
    .insertInto('orders')
    .values({ ...of, status: 'pending', method: 'card', total: totalOf(items) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('orderItems')
    .values(
      items.map(({ documentId, price, bundle, priceBefore, codeOff }) => ({
        orderId: id,
        documentId,
        price,
        bundleId: bundle?.id ?? null,
        bundleTotal: bundle?.total ?? null,
        priceBefore: priceBefore ?? null,
        codeOff: codeOff ?? 0,
      })),
    )
    .execute()
  return id
}

export interface OrderRow {
  id: number
  buyerId: number
  status: OrderStatus
  method: string
  total: Millimes
  createdAt: Date
  paidAt: Date | null
  receiptNumber: number | null
  code: string | null
  buyerName: string
  buyerEmail: string | null
  items: {
    documentId: number
    title: string
    price: Millimes
    refundedAt: string | null
    isOwned: boolean
    bundleId: number | null
    priceBefore: Millimes | null
  }[]
  /** The payment that paid the order, else the newest that can still be made, else the newest. */
  payment: Payment | null
  invoices: Invoice[]
}

/** How many orders a list holds; older ones are found by their address alone. */
const MOST_ORDERS = 200

/** A buyer's orders, newest first; with `orderId` only that order, if it is theirs. */
export async function ordersOf(
  db: Kysely<Schema>,
  buyerId: number,
  orderId: number | null = null,
): Promise<OrderRow[]> {
  const { rows } = await sql<Omit<OrderRow, 'payment' | 'invoices'>>`
    SELECT o.id, o.buyer_id, o.status, o.method, o.total, o.created_at, o.paid_at,
      r.number AS receipt_number, ${fullNameIn('u')} AS buyer_name,
      u.email AS buyer_email,
      (SELECT code FROM discount_codes WHERE id = o.code_id) AS code,
      (SELECT json_agg(json_build_object(
          'documentId', i.document_id, 'title', d.title, 'price', i.price - i.code_off,
          'priceBefore', ${PRICE_BEFORE},
          'refundedAt', i.refunded_at, 'isOwned', p.id IS NOT NULL, 'bundleId', i.bundle_id) ORDER BY i.document_id)
        FROM order_items i
        JOIN documents d ON d.id = i.document_id
        LEFT JOIN purchases p ON p.user_id = o.buyer_id AND p.document_id = i.document_id
        WHERE i.order_id = o.id) AS items
    FROM orders o
    JOIN users u ON u.id = o.buyer_id
    LEFT JOIN receipts r ON r.order_id = o.id
    WHERE o.buyer_id = ${buyerId}
      AND (${orderId}::integer IS NULL OR o.id = ${orderId}::integer)
    ORDER BY o.created_at DESC, o.id DESC LIMIT ${MOST_ORDERS}`.execute(db)
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const invoices = await invoicesOf(db, ids)
  const payments = await db
    .selectFrom('payments')
    .selectAll()
    .where('orderId', 'in', ids)
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => {
    const ofOrder = payments.filter(({ orderId }) => orderId === row.id)
    const payment =
      ofOrder.find(({ status }) => status === 'paid') ??
      ofOrder.find(({ status, payUrl }) => status === 'pending' && payUrl !== null) ??
      ofOrder[0] ??
      null
    return { ...row, items: row.items ?? [], payment, invoices: invoices.get(row.id) ?? [] }
  })
}

/** An order on the wire; until it is paid, its method is that of its current payment. */
export function presentOrder(row: OrderRow): Order {
  const { payment, status } = row
  const expiry = payment?.expiresAt.getTime() ?? row.createdAt.getTime() + ORDER_LIFETIME_MS
  return {
    id: row.id,
    status,
    method: (status === 'paid' ? row.method : (payment?.method ?? row.method)) as Order['method'],
    total: row.total,
    ...(row.code !== null && { code: row.code }),
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
      ...(item.bundleId !== null && { bundleId: item.bundleId }),
      ...(item.priceBefore !== null && { priceBefore: item.priceBefore }),
    })),
    payment: payment ? presentPayment(payment) : null,
    invoices: row.invoices,
  }
}
