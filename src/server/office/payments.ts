import { inDinars } from '../../rules/money.ts'
import { readableReference } from '../../rules/payment-reference.ts'
import type { Deps } from '../deps.ts'
import { confirmManual, type DecidedTransfer, listTransfers, refuseManual } from '../money/money.ts'
import type { Command, Outcome } from './command.ts'
import { moment, money, personOf, table } from './print.ts'
import { wholeReference } from './whole-reference.ts'

const LISTED = 1000

const ABOUT_REFERENCES = 'The reference may be in short, such as KR-1A2B-3C4D, or whole.'

export const paymentCommands: readonly Command[] = [
  {
    name: 'transfers',
    usage: '',
    summary: 'Lists the bank transfers and D17 payments that wait for their money, oldest first.',
    options: {
      search: { type: 'string', about: 'only those with this reference, amount, name or phone' },
    },
    async run(deps, { options }) {
      const q = options.search === undefined ? '' : String(options.search)
      const filter = { q, state: 'pending', page: 0, size: LISTED } as const
      const { transfers: waiting } = await listTransfers(deps.database.kysely, filter)
      return {
        lines: table('No transfer is waiting.', waiting, {
          reference: ({ reference }) => readableReference(reference),
          for: ({ orderId }) => (orderId === null ? 'top-up' : `order ${orderId}`),
          amount: ({ amount }) => money(amount),
          method: ({ method }) => method,
          since: ({ createdAt }) => moment(createdAt),
          expires: ({ expiresAt }) => moment(expiresAt),
          who: personOf,
        }),
        json: waiting.map((payment) => ({
          paymentRef: payment.reference,
          readable: readableReference(payment.reference),
          purpose: payment.purpose,
          orderId: payment.orderId,
          amount: inDinars(payment.amount),
          method: payment.method,
          createdAt: payment.createdAt,
          expiresAt: payment.expiresAt,
          payer: { name: `${payment.firstName} ${payment.lastName}`, email: payment.email },
        })),
      }
    },
  },
  {
    name: 'confirm',
    usage: '<reference>',
    summary:
      'Confirms that the money of a transfer has come: pays its order, or tops the wallet up.',
    details: [
      ABOUT_REFERENCES,
      'It also works after the transfer was refused or has expired: late money counts.',
    ],
    makesLinks: true,
    run: (deps, { args }) => act(deps, args[0] ?? '', confirmManual, 'Confirmed'),
  },
  {
    name: 'refuse',
    usage: '<reference>',
    summary: 'Refuses a transfer whose money will not come, and cancels its order.',
    details: [ABOUT_REFERENCES],
    makesLinks: true,
    run: (deps, { args }) => act(deps, args[0] ?? '', refuseManual, 'Refused'),
  },
]

async function act(
  deps: Deps,
  typed: string,
  decide: (deps: Deps, reference: string) => Promise<DecidedTransfer>,
  done: string,
): Promise<Outcome> {
  const reference = await wholeReference(deps, typed)
  const payment = await decide(deps, reference)
  const purpose = payment.orderId === null ? 'a top-up' : `order ${payment.orderId}`
  return {
    lines: [`${done} ${readableReference(reference)}: ${money(payment.amount)} for ${purpose}.`],
    json: {
      paymentRef: reference,
      state: payment.status,
      amount: inDinars(payment.amount),
      orderId: payment.orderId,
    },
  }
}
