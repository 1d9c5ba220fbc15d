import { cancelOrder, createOrder, getOrder, listOrders } from '../../contract/orders.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { once } from '../http/idempotency.ts'
import { requireCustomer, requireSelf } from '../http/identity.ts'
import { type Route, route } from '../http/route.ts'
import { enqueueMail } from '../mail/mail.ts'
import { consentTo } from '../site-texts/site-texts.ts'
import { requireKnown, usedNow } from './codes/apply.ts'
import { checkPaymentSoon } from './gateway-checks.ts'
import { type OrderRow, ordersOf, type PlacedOrder, placeOrder, presentOrder } from './orders.ts'
import { tagsOfSale } from './sale.ts'
import { cancelOrder as endByBuyer } from './waiting-orders.ts'

export const orderRoutes: Route[] = [
  route(createOrder, async ({ input: { body }, user, key, deps, limits }) => {
    for (const named of [body.userId, body.user?.id]) {
      if (named !== undefined) requireCustomer(user, named)
    }
    // The contract has checked that the id is given in one of the two ways.
    const named = body.orderDocs.map(({ documentId, document }) => documentId ?? document?.id ?? 0)
    const documentIds = [...new Set(named)]
    const bundleIds = [...new Set(body.orderDocs.flatMap(({ bundleId }) => bundleId ?? []))]
    const { total, link, code } = body
    await requireKnown(deps, limits, { code, userId: user.id })
    // Without a total, bundles and a code as it ever was: the stored hashes of earlier requests have none.
    const request = [
      createOrder.path,
      documentIds,
      ...(total === undefined ? [] : [total]),
      ...(bundleIds.length === 0 ? [] : [{ bundleIds }]),
      ...(code === undefined ? [] : [{ code }]),
    ]
    let sold: PlacedOrder['sold'] = []
    const { id } = await transaction(deps.database, (tx) =>
      once(tx, { userId: user.id, key, request }, async () => {
        const at = new Date(deps.now())
        const notice = await consentTo(tx, { ...body, userId: user.id, at })
        const order = await placeOrder(tx, {
          buyerId: user.id,
          documentIds,
          bundleIds,
          code: usedNow(deps, body),
          total,
          notice,
          link,
        })
        sold = order.sold
        if (sold.length > 0) await enqueueMail(tx, deps.jobs, 'receipt', { orderId: order.id })
        return { id: order.id }
      }),
    )
    if (sold.length > 0) deps.publisher.changedSoon(tagsOfSale(sold))
    return { id }
  }),
  route(listOrders, async ({ input, user, deps }) => {
    requireSelf(user, input.params.userId)
    return (await numberedOrders(deps, user.id)).map(presentOrder)
  }),
  route(getOrder, async ({ input, user, deps }) => {
    const [order] = await numberedOrders(deps, user.id, input.params.id)
    if (!order) throw fault('order_not_found')
    return presentOrder(order)
  }),
  route(cancelOrder, async ({ input: { params }, user, deps }) => {
    // An order is settled as paid, not cancelled, if the gateway has received the money of any of its payments.
    for (const reference of await unpaidAtGateway(deps, user.id, params.id)) {
      await checkPaymentSoon(deps, reference)
    }
    await transaction(deps.database, (tx) => endByBuyer(tx, user.id, params.id))
    const [order] = await ordersOf(deps.database.kysely, user.id, params.id)
    if (!order) throw fault('order_not_found')
    return presentOrder(order)
  }),
]

/** The references of an order's payments for which the gateway may have received money. */
async function unpaidAtGateway(
  { database }: Deps,
  userId: number,
  orderId: number,
): Promise<string[]> {
  const payments = await database.kysely
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.orderId')
    .select('payments.reference')
    .where('orders.id', '=', orderId)
    .where('orders.buyerId', '=', userId)
    .where('orders.status', '=', 'pending')
    .where('payments.provider', '<>', 'manual')
    .where('payments.status', '<>', 'paid')
    .orderBy('payments.id')
    .execute()
  return payments.map(({ reference }) => reference)
}

/** A buyer's orders, after numbering the receipts that lack a number. */
async function numberedOrders(
  deps: Deps,
  userId: number,
  orderId: number | null = null,
): Promise<OrderRow[]> {
  const readOrders = () => ordersOf(deps.database.kysely, userId, orderId)
  const orders = await readOrders()
  const isNumbered = orders.every(
    ({ status, receiptNumber: number }) => status !== 'paid' || number !== null,
  )
  if (isNumbered) return orders
  await deps.payments.numberReceipts()
  return readOrders()
}
