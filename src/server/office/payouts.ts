import { is } from 'superstruct'
import { day } from '../../contract/values.ts'
import { inDinars } from '../../rules/money.ts'
import { PAYOUT_NOTE_MAX_LENGTH } from '../../rules/payouts.ts'
import { readableRib } from '../../rules/rib.ts'
import { listPayouts, type Payout, recordPayout, refusePayout } from '../money/money.ts'
import { type Command, type Outcome, readId, readText, wrongUsage } from './command.ts'
import { moment, money, table } from './print.ts'

const LISTED = 200

/** How teachers are paid: what they ask for, and what was transferred. */
export const payoutCommands: readonly Command[] = [
  {
    name: 'payouts',
    usage: '',
    summary: 'Lists the payouts that teachers ask for, oldest first, with where to send the money.',
    details: [
      'Make the bank transfer, then say so: payout 5 paid <its reference>.',
      'A balance may have gone down since by a refund; "left" is what remains after the payout.',
    ],
    options: { all: { type: 'boolean', about: `the newest ${LISTED} of all, decided ones too` } },
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
      'payout 5 paid "VIR 2026-1187"             the bank transfer was made; once, however often it is said',
      'payout 5 refuse "The RIB is not yours"    nothing moves, and the teacher may ask again',
      'Money that has left counts: a request that was cancelled or refused meanwhile can still be paid.',
    ],
    options: {
      on: { type: 'string', about: 'the day of the transfer, as 2026-11-22; not kept unless said' },
    },
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
  throw wrongUsage(`"${typed}" is no day: one like 2026-11-22 is.`)
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
