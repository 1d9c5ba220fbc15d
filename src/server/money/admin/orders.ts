import { expressionBuilder, type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { ShopOrderDetail } from '../../../contract/office-orders.ts'
import * as calls from '../../../contract/office-orders.ts'
import { meaningsOf } from '../../../rules/admin-search.ts'
import type { Millimes } from '../../../rules/money.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import type { OrderStatus } from '../../../rules/payment-states.ts'
import { countRows } from '../../database/count-rows.ts'
import type { Schema } from '../../database/schema.ts'
import { fullNameIn } from '../../database/sql-parts.ts'
import { fault } from '../../http/errors.ts'
import { pageOf, type Route, route } from '../../http/route.ts'
import { logSight } from '../../staff-log/staff-log.ts'
import { actingOf } from '../acting.ts'
import { idsOfPeople, PERSON_COLUMNS, presentPerson } from '../find-people.ts'
import { invoicesOf } from '../invoices/invoices.ts'
import { refundOrder } from '../refunds.ts'
import { PRICE_BEFORE } from '../sale.ts'

export const shopOrderRoutes: Route[] = [
  route(calls.listShopOrders, async ({ input: { query }, deps }) => {
    const { page = 0, size = PAGE_SIZE, q, status } = query
    await deps.payments.numberReceipts()
    const { orders, total } = await findOrders(deps.database.kysely, { q, status, page, size })
    return pageOf(orders.map(presentShopOrder), { total, page, size })
  }),

  route(calls.getShopOrder, async ({ input: { params }, user, deps }) => {
    await deps.payments.numberReceipts()
    const order = await findOrder(deps.database.kysely, params.id)
    if (!order) throw fault('order_not_found')
    await logSight(deps, user.actor, order.userId)
    return readOrderDetail(deps.database.kysely, order)
  }),

  route(calls.refundShopOrder, async ({ input, user, key, deps }) => {
    const { params, body } = input
    const acting = actingOf(calls.refundShopOrder, { user, key, input })
    const { total, waits } = await refundOrder(deps, { orderId: params.id, ...body }, acting)
    return { refunded: total, waits }
  }),
]

function presentShopOrder(row: ShopOrderRow) {
  return {
    id: row.id,
    status: row.status,
    method: row.method,
    total: row.total,
    refunded: row.refunded,
    createdAt: row.createdAt.toISOString(),
    paidAt: row.paidAt?.toISOString() ?? null,
    receiptNumber: row.receiptNumber,
    buyer: presentPerson(row),
  }
}

async function readOrderDetail(db: Kysely<Schema>, order: ShopOrderRow): Promise<ShopOrderDetail> {
  return {
    ...presentShopOrder(order),
    code: order.code,
    items: await itemsOf(db, order.id),
    payments: await paymentsOf(db, order.id),
    movements: await movementsOf(db, order.id),
    invoices: (await invoicesOf(db, [order.id])).get(order.id) ?? [],
  }
}

type Detail<Name extends 'items' | 'payments' | 'movements'> = ShopOrderDetail[Name]

async function itemsOf(db: Kysely<Schema>, orderId: number): Promise<Detail<'items'>> {
  const { rows } = await sql<
    Omit<Detail<'items'>[number], 'refundedAt'> & { refundedAt: Date | null }
  >`
    SELECT i.document_id, d.title, ${fullNameIn('t')} AS teacher, i.price - i.code_off AS price,
      ${PRICE_BEFORE} AS price_before,
      i.teacher_share AS share, i.refunded_at, p.id IS NOT NULL AS is_owned, i.bundle_id
    FROM order_items i
    JOIN documents d ON d.id = i.document_id
    JOIN teachers t ON t.id = coalesce(i.teacher_id, d.teacher_id)
    LEFT JOIN purchases p ON p.order_id = i.order_id AND p.document_id = i.document_id
    WHERE i.order_id = ${orderId} ORDER BY i.document_id`.execute(db)
  return rows.map((row) => ({ ...row, refundedAt: row.refundedAt?.toISOString() ?? null }))
}

async function paymentsOf(db: Kysely<Schema>, orderId: number): Promise<Detail<'payments'>> {
  const payments = await db
    .selectFrom('payments')
    .selectAll()
    .where('orderId', '=', orderId)
    .orderBy('id', 'desc')
    .execute()
  return payments.map((payment) => ({
    paymentRef: payment.reference,
    provider: payment.provider,
    method: payment.method,
    state: payment.status,
    amount: payment.amount,
    createdAt: payment.createdAt.toISOString(),
    settledAt: payment.settledAt?.toISOString() ?? null,
  }))
}

/** The ledger's movements of an order, including money of its payments that went into the wallet. */
async function movementsOf(db: Kysely<Schema>, orderId: number): Promise<Detail<'movements'>> {
  const { rows } = await sql<Omit<Detail<'movements'>[number], 'at'> & { at: Date }>`
    SELECT t.id::integer, t.kind, t.created_at AS at, t.note, (
      SELECT json_agg(json_build_object('account', a.kind, 'amount', e.amount, 'name', coalesce(
          ${fullNameIn('s')}, ${fullNameIn('u')}, '')) ORDER BY e.id)
      FROM ledger_entries e JOIN accounts a ON a.id = e.account_id
      LEFT JOIN users u ON u.id = a.user_id LEFT JOIN teachers s ON s.id = a.teacher_id
      WHERE e.transaction_id = t.id) AS entries
    FROM ledger_transactions t
    WHERE t.order_id = ${orderId}
      OR t.payment_id IN (SELECT id FROM payments WHERE order_id = ${orderId})
    ORDER BY t.id`.execute(db)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

type ShopOrderRow = Awaited<ReturnType<ReturnType<typeof selectOrders>['execute']>>[number]

interface OrderFilter {
  readonly q?: string | undefined
  readonly status?: OrderStatus | undefined
  readonly page: number
  readonly size: number
}

async function findOrders(
  db: Kysely<Schema>,
  { q = '', status, page, size }: OrderFilter,
): Promise<{ orders: ShopOrderRow[]; total: number }> {
  let found = db.selectFrom('orders')
  if (status) found = found.where('orders.status', '=', status)
  if (q.trim() !== '') found = found.where(await isMeantBy(db, q))
  const orders = await newestFirst(found)
    .limit(size)
    .offset(page * size)
    .execute()
  return { orders, total: await countRows(found) }
}

/** The newest orders that a text may mean, without their number. */
export async function newestOrders(
  db: Kysely<Schema>,
  { q, limit }: { q: string; limit: number },
): Promise<ShopOrderRow[]> {
  const found = db.selectFrom('orders').where(await isMeantBy(db, q))
  return newestFirst(found).limit(limit).execute()
}

const newestFirst = (found: SelectQueryBuilder<Schema, 'orders', object>) =>
  selectOrders(found).orderBy('orders.id', 'desc')

function findOrder(db: Kysely<Schema>, id: number): Promise<ShopOrderRow | undefined> {
  return selectOrders(db.selectFrom('orders').where('orders.id', '=', id)).executeTakeFirst()
}

function selectOrders(found: SelectQueryBuilder<Schema, 'orders', object>) {
  return found
    .innerJoin('users', 'users.id', 'orders.buyerId')
    .leftJoin('receipts', 'receipts.orderId', 'orders.id')
    .leftJoin('discountCodes', 'discountCodes.id', 'orders.codeId')
    .select(['orders.id', 'orders.status', 'orders.method', 'orders.total'])
    .select(['orders.createdAt', 'orders.paidAt', 'receipts.number as receiptNumber'])
    .select('discountCodes.code')
    .select(
      sql<Millimes>`(SELECT coalesce(sum(price - code_off), 0)::bigint FROM order_items
        WHERE order_id = orders.id AND refunded_at IS NOT NULL)`.as('refunded'),
    )
    .select(PERSON_COLUMNS)
}

/**
 * A condition on `orders`: whether a text may mean it. One condition, since a common amount means a
 * large part of all orders, whose ids would have to be collected first.
 */
async function isMeantBy(db: Kysely<Schema>, q: string) {
  const { reference, amount, number } = meaningsOf(q)
  const people = await idsOfPeople(db, q)
  const eb = expressionBuilder<Schema, 'orders'>()
  const meanings = [eb('orders.buyerId', 'in', people)]
  if (number !== null) {
    const receipts = db.selectFrom('receipts').select('orderId').where('number', '=', number)
    meanings.push(eb('orders.id', '=', number), eb('orders.id', 'in', receipts))
  }
  if (amount !== null) meanings.push(eb('orders.total', '=', amount))
  if (reference !== null) {
    const payments = db
      .selectFrom('payments')
      .select('orderId')
      .where('reference', 'like', `${reference}%`)
      .where('orderId', 'is not', null)
      .$narrowType<{ orderId: number }>()
    meanings.push(eb('orders.id', 'in', payments))
  }
  return eb.or(meanings)
}
