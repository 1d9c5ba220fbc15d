import { inDinars } from '../../rules/money.ts'
import { readableReference } from '../../rules/payment-reference.ts'
import { STAFF_REASON_MAX_LENGTH } from '../../rules/staff-reasons.ts'
import type { Deps } from '../deps.ts'
import {
  askAboutPayment,
  BY_COMMAND,
  bookDifference,
  closeDifference,
  listDifferences,
  readDifference,
} from '../money/money.ts'
import { type Command, type Outcome, readId, readText, wrongUsage } from './command.ts'
import { moment, money, table } from './print.ts'
import { wholeReference } from './whole-reference.ts'

const LISTED = 100

type Difference = Awaited<ReturnType<typeof readDifference>>

/** Payments on which the gateway and the shop's records differ. */
export const differenceCommands: readonly Command[] = [
  {
    name: 'differences',
    usage: '',
    summary:
      'Lists payments that the gateway reports otherwise and nobody has settled, oldest first.',
    async run({ database }) {
      const filter = { isOpen: true, page: 0, size: LISTED }
      const { differences } = await listDifferences(database.kysely, filter)
      return {
        lines: table('No payment differs.', differences, {
          difference: ({ id }) => id,
          reference: ({ paymentRef }) => readableReference(paymentRef),
          kind: ({ kind }) => kind,
          asked: ({ expected }) => money(expected),
          gateway: ({ reported, reportedState }) => `${money(reported)} ${reportedState}`,
          since: ({ notedAt }) => moment(new Date(notedAt)),
          who: ({ payer }) => `${payer.name} <${payer.email}>`,
        }),
        json: differences.map(present),
      }
    },
  },
  {
    name: 'difference',
    usage: '<difference> <book|close> [reason]',
    summary: 'Books the sum that really arrived of such a payment, or closes it with a reason.',
    details: ['The gateway has to confirm the sum once more; it goes into the payer’s wallet.'],
    makesLinks: true,
    async run(deps, { args: [typed, way, why] }) {
      const id = readId(typed, 'difference')
      if (way === 'book') return show(deps, await bookDifference(deps, id, BY_COMMAND))
      if (way !== 'close') throw wrongUsage(`"${way}" is neither book nor close.`)
      const reason = readText('A reason', why, STAFF_REASON_MAX_LENGTH)
      return show(deps, await closeDifference(deps, { id, reason }, BY_COMMAND))
    },
  },
  {
    name: 'ask',
    usage: '<reference>',
    summary: 'Checks a payment at the gateway: books what it confirms, and notes what differs.',
    makesLinks: true,
    async run(deps, { args: [typed = ''] }) {
      const reference = await wholeReference(deps, typed)
      const { state, gateway } = await askAboutPayment(deps, reference)
      return {
        lines: [
          `${readableReference(reference)}: ${state} here; the gateway says ${gateway.state}, ${money(gateway.amount)}.`,
        ],
        json: { state, gateway: { ...gateway, amount: inDinars(gateway.amount) } },
      }
    },
  },
]

const present = (difference: Difference) => ({
  ...difference,
  expected: inDinars(difference.expected),
  reported: inDinars(difference.reported),
})

async function show({ database }: Deps, id: number): Promise<Outcome> {
  const difference = await readDifference(database.kysely, id)
  const { paymentRef, outcome, reported } = difference
  return {
    lines: [`${readableReference(paymentRef)}: ${outcome}, ${money(reported)}.`],
    json: present(difference),
  }
}
