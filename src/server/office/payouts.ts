import { is } from 'superstruct'
import { day } from '../../contract/values.ts'
import { inDinars } from '../../rules/money.ts'
import { PAYOUT_NOTE_MAX_LENGTH } from '../../rules/payouts.ts'
import { readableRib } from '../../rules/rib.ts'
import { listPayouts, type Payout, recordPayout, refusePayout } from '../money/money.ts'
import { type Command, notA, type Outcome, readId, readText, wrongUsage } from './command.ts'
import { moment, money, table } from './print.ts'

const LISTED = 200

/** The payouts that teachers request, and that the shop transfers. */
export const payoutCommands: readonly Command[] = [
  {
    name: 'payouts',
    usage: '',
    summary: 'Lists the payouts that teachers request, oldest first, with the account to pay to.',
    details: [
      'Make the bank transfer, then record it: payout 5 paid <its reference>.',
      '"left" is the balance after the payout; a refund may have lowered it since the request.',
    ],
    options: {
      all: { type: 'boolean', about: `the newest ${LISTED} of all, including decided ones` },
    },
    async run(deps, { options }) {
      const { payouts } = await listPayouts(deps.database.kysely, {
        state: options.all === true ? null : 'requested',
        page: 0,
        size: LISTED,
        at: deps.now(),
      })
      return {
        lines: table('No payout is waiting.', payouts, {
          payout: ({ id }) => id,
          state: ({ status }) => status,
          amount: ({ amount }) => money(amount),
          left: ({ left }) => (left === null ? null : money(left)),
          since: ({ requestedAt }) => moment(requestedAt),
          RIB: ({ rib }) => readableRib(rib),
          reference: ({ reference }) => reference,
          who: ({ holder, teacherId, firstName, lastName }) =>
            `${holder} (teacher ${teacherId}, ${firstName} ${lastName})`,
        }),
        json: payouts.map((payout) => ({
          ...presentPayout(payout),
          left: payout.left === null ? null : inDinars(payout.left),
          teacher: {
            id: payout.teacherId,
            name: `${payout.firstName} ${payout.lastName}`,
            email: payout.email,
          },
        })),
      }
    },
  },
  {
    name: 'payout',
    usage: '<payout> <paid|refuse> <reference|reason>',
    summary: 'Records that a payout was transferred, or refuses it; its teacher gets a mail.',
    details: [
      'payout 5 paid "VIR 2026-1187"             the bank transfer was made; a repetition changes nothing',
      'payout 5 refuse "The RIB is not yours"    nothing moves, and the teacher may request it again',
      'Money that has left counts: a request cancelled or refused meanwhile can still be recorded as paid.',
    ],
    options: { on: { type: 'string', about: 'the day of the transfer, such as 2026-11-22' } },
    makesLinks: true,
    async run(deps, { args: [typed, action, note], options: { on } }) {
      const payoutId = readId(typed, 'payout')
      const text = readText('A reference or reason', note, PAYOUT_NOTE_MAX_LENGTH)
      if (action === 'paid') {
        const paid = await recordPayout(deps, {
          payoutId,
          reference: text,
          ...(on !== undefined && { transferredOn: readDay(String(on)) }),
        })
        return outcome('Recorded', paid)
      }
      if (action === 'refuse') {
        const refused = await refusePayout(deps, { payoutId, reason: text })
        return outcome('Refused', refused)
      }
      throw wrongUsage(`"${action}" is neither paid nor refuse.`)
    },
  },
]

function readDay(typed: string): string {
  if (is(typed, day())) return typed
  throw notA('day', typed, '2026-11-22')
}

function outcome(done: string, payout: Payout): Outcome {
  const { id, amount, holder, rib } = payout
  return {
    lines: [`${done} payout ${id}: ${money(amount)} for ${holder}, ${readableRib(rib)}.`],
    json: presentPayout(payout),
  }
}

function presentPayout(payout: Payout) {
  return {
    id: payout.id,
    teacherId: payout.teacherId,
    state: payout.status,
    amount: inDinars(payout.amount),
    holder: payout.holder,
    rib: payout.rib,
    requestedAt: payout.requestedAt,
    decidedAt: payout.decidedAt,
    reference: payout.reference,
    transferredOn: payout.transferredOn,
    reason: payout.reason,
  }
}
