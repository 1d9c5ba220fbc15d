import { inDinars } from '../../rules/money.ts'
import { ORDER_STATUSES } from '../../rules/order-states.ts'
import { STAFF_REASON_MAX_LENGTH } from '../../rules/staff-reasons.ts'
import {
  findOrder,
  findOrders,
  itemsOf,
  numberReceipts,
  type OrderRow,
  refundOrder,
} from '../money/money.ts'
import { type Command, readChoice, readId, readText, refusal } from './command.ts'
import { moment, money, personOf, table } from './print.ts'

const LISTED = 50

export const orderCommands: readonly Command[] = [
  {
    name: 'orders',
    usage: '',
    summary: `Lists the newest ${LISTED} orders.`,
    options: {
      status: { type: 'string', about: `only ${ORDER_STATUSES.join(', ')}` },
      search: {
        type: 'string',
        about: 'only those with this number, receipt, amount, reference, name, e-mail or phone',
      },
    },
    async run(deps, { options }) {
      const status = readChoice('--status', options.status, ORDER_STATUSES)
      const q = options.search === undefined ? '' : String(options.search)
      await numberReceipts(deps)
      const filter = { q, status, page: 0, size: LISTED }
      const { orders } = await findOrders(deps.database.kysely, filter)
      const lines = table('There are no such orders.', orders, {
        order: ({ id }) => id,
        status: ({ status }) => status,
        method: ({ method }) => method,
        total: ({ total }) => money(total),
        since: ({ createdAt }) => moment(createdAt),
        receipt: ({ receiptNumber }) => receiptNumber,
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
      const order = await findOrder(deps.database.kysely, id)
      if (!order) throw refusal(`There is no order ${id}.`)
      const items = await itemsOf(deps.database.kysely, id)
      return {
        lines: [
          `Order ${id}: ${order.status}, ${order.method}, ${money(order.total)}`,
          `Buyer: ${personOf(order)}`,
          `Since ${moment(order.createdAt)}, paid ${moment(order.paidAt)}, receipt ${order.receiptNumber ?? '-'}`,
          '',
          ...table('It has no documents.', items, {
            document: ({ documentId }) => documentId,
            price: ({ price }) => money(price),
            refunded: ({ refundedAt }) => moment(refundedAt === null ? null : new Date(refundedAt)),
            title: ({ title }) => title,
          }),
        ],
        json: {
          ...presentOrder(order),
          items: items.map((item) => ({
            ...item,
            price: inDinars(item.price),
            share: item.share === null ? null : inDinars(item.share),
          })),
        },
      }
    },
  },
  {
    name: 'refund',
    usage: '<order> [document]',
    summary: 'Refunds a paid order, or one document of it, to the wallet of its buyer.',
    details: [
      'The buyer loses the documents, and the teachers’ earnings go down by their shares.',
      'What was refunded before is not refunded again.',
    ],
    options: { reason: { type: 'string', about: 'why; it is kept in the log and in the wallet' } },
    makesLinks: true,
    async run(deps, { args, options }) {
      const orderId = readId(args[0], 'order')
      const documentId = args[1] === undefined ? undefined : readId(args[1], 'document')
      const { total, items } = await refundOrder(deps, {
        orderId,
        documentId,
        ...(options.reason !== undefined && {
          reason: readText('A reason', options.reason, STAFF_REASON_MAX_LENGTH),
        }),
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

function presentOrder(order: OrderRow) {
  return {
    id: order.id,
    status: order.status,
    method: order.method,
    total: inDinars(order.total),
    refunded: inDinars(order.refunded),
    createdAt: order.createdAt,
    paidAt: order.paidAt,
    receiptNumber: order.receiptNumber,
    buyer: { name: `${order.firstName} ${order.lastName}`, email: order.email },
  }
}
