import { ORDER_STATUSES } from '../../contract/orders.ts'
import { inDinars } from '../../rules/money.ts'
import type { Deps } from '../deps.ts'
import { numberReceipts, refundOrder } from '../money/money.ts'
import { type Command, readChoice, readId, refusal } from './command.ts'
import { moment, money, personOf, table } from './print.ts'

const LISTED = 50

export const orderCommands: readonly Command[] = [
  {
    name: 'orders',
    usage: '',
    summary: `Lists the newest ${LISTED} orders.`,
    options: {
      status: { type: 'string', about: `only ${ORDER_STATUSES.join(', ')}` },
      email: { type: 'string', about: 'only those of the account with this e-mail' },
    },
    async run(deps, { options }) {
      const status = readChoice('--status', options.status, ORDER_STATUSES)
      const { email } = options
      await numberReceipts(deps)
      let query = selectOrders(deps).orderBy('orders.id', 'desc').limit(LISTED)
      if (status) query = query.where('orders.status', '=', status)
      if (email) query = query.where('users.email', '=', String(email).trim().toLowerCase())
      const orders = await query.execute()
      const lines = table('There are no such orders.', orders, {
        order: ({ id }) => id,
        status: ({ status }) => status,
        method: ({ method }) => method,
        total: ({ total }) => money(total),
        since: ({ createdAt }) => moment(createdAt),
        receipt: ({ receipt }) => receipt,
        buyer: personOf,
      })
      return { lines, json: orders.map(presentOrder) }
    },
  },
  {
    name: 'order',
    usage: '<order>',
    summary: 'Shows an order with its documents.',
    async run(deps, { args }) {
      const id = readId(args[0], 'order')
      await numberReceipts(deps)
      const order = await selectOrders(deps).where('orders.id', '=', id).executeTakeFirst()
      if (!order) throw refusal(`There is no order ${id}.`)
      const items = await itemsOf(deps, id)
      return {
        lines: [
          `Order ${id}: ${order.status}, ${order.method}, ${money(order.total)}`,
          `Buyer: ${personOf(order)}`,
          `Since ${moment(order.createdAt)}, paid ${moment(order.paidAt)}, receipt ${order.receipt ?? '-'}`,
          '',
          ...table('It has no documents.', items, {
            document: ({ documentId }) => documentId,
            price: ({ price }) => money(price),
            refunded: ({ refundedAt }) => moment(refundedAt),
            title: ({ title }) => title,
          }),
        ],
        json: {
          ...presentOrder(order),
          items: items.map((item) => ({ ...item, price: inDinars(item.price) })),
        },
      }
    },
  },
  {
    name: 'refund',
    usage: '<order> [document]',
    summary: 'Gives a paid order, or one document of it, back to the wallet of its buyer.',
    details: [
      'The documents are no longer the buyer’s, and the teachers’ sales go down by their prices.',
      'What was refunded before is not refunded again.',
    ],
    makesLinks: true,
    async run(deps, { args }) {
      const orderId = readId(args[0], 'order')
      const documentId = args[1] === undefined ? undefined : readId(args[1], 'document')
      const { total, items } = await refundOrder(deps, { orderId, documentId })
      return {
        lines: [
          `Refunded ${money(total)} of order ${orderId} to the wallet of its buyer:`,
          ...items.map((item) => `  ${item.documentId}  ${money(item.price)}  ${item.title}`),
        ],
        json: {
          orderId,
          total: inDinars(total),
          items: items.map(({ documentId: id, title, price }) => ({
            documentId: id,
            title,
            price: inDinars(price),
          })),
        },
      }
    },
  },
]

function selectOrders({ database }: Deps) {
  return database.kysely
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.buyerId')
    .leftJoin('receipts', 'receipts.orderId', 'orders.id')
    .select([
      'orders.id',
      'orders.status',
      'orders.method',
      'orders.total',
      'orders.createdAt',
      'orders.paidAt',
      'receipts.number as receipt',
      'users.firstName',
      'users.lastName',
      'users.email',
    ])
}

type OrderRow = Awaited<ReturnType<ReturnType<typeof selectOrders>['execute']>>[number]

function presentOrder(order: OrderRow) {
  return {
    id: order.id,
    status: order.status,
    method: order.method,
    total: inDinars(order.total),
    createdAt: order.createdAt,
    paidAt: order.paidAt,
    receiptNumber: order.receipt,
    buyer: { name: `${order.firstName} ${order.lastName}`, email: order.email },
  }
}

function itemsOf({ database }: Deps, orderId: number) {
  return database.kysely
    .selectFrom('orderItems')
    .innerJoin('documents', 'documents.id', 'orderItems.documentId')
    .select(['documentId', 'title', 'orderItems.price', 'refundedAt'])
    .where('orderId', '=', orderId)
    .orderBy('documentId')
    .execute()
}
