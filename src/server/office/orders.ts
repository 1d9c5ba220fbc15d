import { ORDER_STATUSES } from '../../contract/orders.ts'
import { inDinars } from '../../rules/money.ts'
import type { Deps } from '../deps.ts'
import { numberReceipts } from '../orders/receipts.ts'
import { RefundRefused, refundOrder } from '../wallet/refund.ts'
import { type Command, EXIT, OfficeError, readId } from './command.ts'
import { moment, money, table } from './print.ts'

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
      const { status, email } = options
      if (status !== undefined && !ORDER_STATUSES.some((known) => known === status)) {
        throw new OfficeError(
          EXIT.usage,
          `--status is "${status}"; allowed is ${ORDER_STATUSES.join(', ')}.`,
        )
      }
      await numberReceipts(deps)
      let query = selectOrders(deps).orderBy('orders.id', 'desc').limit(LISTED)
      if (status) query = query.where('orders.status', '=', status as 'paid')
      if (email) query = query.where('users.email', '=', String(email).trim().toLowerCase())
      const orders = await query.execute()
      const rows = orders.map((order) => [
        String(order.id),
        order.status,
        order.method,
        money(order.total),
        moment(order.created_at),
        order.receipt === null ? '-' : String(order.receipt),
        `${order.first_name} ${order.last_name} <${order.email}>`,
      ])
      const headings = ['order', 'status', 'method', 'total', 'since', 'receipt', 'buyer']
      return {
        lines: rows.length > 0 ? table(headings, rows) : ['There are no such orders.'],
        json: orders.map(presentOrder),
      }
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
      if (!order) throw new OfficeError(EXIT.no, `There is no order ${id}.`)
      const items = await itemsOf(deps, id)
      const rows = items.map(({ document_id, price, refunded_at, title }) => [
        String(document_id),
        money(price),
        moment(refunded_at),
        title,
      ])
      return {
        lines: [
          `Order ${id}: ${order.status}, ${order.method}, ${money(order.total)}`,
          `Buyer: ${order.first_name} ${order.last_name} <${order.email}>`,
          `Since ${moment(order.created_at)}, paid ${moment(order.paid_at)}, receipt ${order.receipt ?? '-'}`,
          '',
          ...table(['document', 'price', 'refunded', 'title'], rows),
        ],
        json: {
          ...presentOrder(order),
          items: items.map(({ document_id, title, price, refunded_at }) => ({
            documentId: document_id,
            title,
            price: inDinars(price),
            refundedAt: refunded_at,
          })),
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
      const { total, items } = await refundOrder(deps, { orderId, documentId }).catch((error) => {
        if (error instanceof RefundRefused) throw new OfficeError(EXIT.no, error.message)
        throw error
      })
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
    .innerJoin('users', 'users.id', 'orders.buyer_id')
    .leftJoin('receipts', 'receipts.order_id', 'orders.id')
    .select([
      'orders.id',
      'orders.status',
      'orders.method',
      'orders.total',
      'orders.created_at',
      'orders.paid_at',
      'receipts.number as receipt',
      'users.first_name',
      'users.last_name',
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
    createdAt: order.created_at,
    paidAt: order.paid_at,
    receiptNumber: order.receipt,
    buyer: { name: `${order.first_name} ${order.last_name}`, email: order.email },
  }
}

function itemsOf({ database }: Deps, orderId: number) {
  return database.kysely
    .selectFrom('order_items')
    .innerJoin('documents', 'documents.id', 'order_items.document_id')
    .select(['document_id', 'order_items.price', 'refunded_at', 'title'])
    .where('order_id', '=', orderId)
    .orderBy('document_id')
    .execute()
}
