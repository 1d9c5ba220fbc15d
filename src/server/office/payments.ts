import { inDinars } from '../../rules/money.ts'
import type { Deps } from '../deps.ts'
import type { Command } from './command.ts'
import { moment, money, table } from './print.ts'

export const paymentCommands: readonly Command[] = [
  {
    name: 'transfers',
    usage: '',
    summary: 'Lists the bank transfers and D17 payments that wait for their money, oldest first.',
    async run(deps) {
      const waiting = await waitingTransfers(deps)
      const rows = waiting.map((payment) => [
        payment.reference,
        payment.order_id === null ? 'top-up' : `order ${payment.order_id}`,
        money(payment.amount),
        payment.method,
        moment(payment.created_at),
        moment(payment.expires_at),
        `${payment.first_name} ${payment.last_name} <${payment.email}>`,
      ])
      const headings = ['reference', 'for', 'amount', 'method', 'since', 'expires', 'who']
      return {
        lines: rows.length > 0 ? table(headings, rows) : ['No transfer is waiting.'],
        json: waiting.map((payment) => ({
          paymentRef: payment.reference,
          purpose: payment.purpose,
          orderId: payment.order_id,
          amount: inDinars(payment.amount),
          method: payment.method,
          createdAt: payment.created_at,
          expiresAt: payment.expires_at,
          payer: { name: `${payment.first_name} ${payment.last_name}`, email: payment.email },
        })),
      }
    },
  },
]

function waitingTransfers({ database }: Deps) {
  return database.kysely
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .select([
      'payments.reference',
      'payments.purpose',
      'payments.order_id',
      'payments.amount',
      'payments.method',
      'payments.created_at',
      'payments.expires_at',
      'users.first_name',
      'users.last_name',
      'users.email',
    ])
    .where('payments.provider', '=', 'manual')
    .where('payments.status', '=', 'pending')
    .orderBy('payments.created_at')
    .execute()
}
