import { ADJUSTMENT_ALONE_MAX, ADJUSTMENT_MAX, ADJUSTMENT_STATES } from '../../rules/adjustments.ts'
import { inDinars, type Millimes } from '../../rules/money.ts'
import { STAFF_REASON_MAX_LENGTH } from '../../rules/staff-reasons.ts'
import type { Deps } from '../deps.ts'
import {
  adjust,
  BY_COMMAND,
  confirmAdjustment,
  listAdjustments,
  readAdjustment,
  readCustomerWallet,
  readLeftAlone,
  refuseAdjustment,
  withdrawAdjustment,
} from '../money/money.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import {
  type Command,
  type Outcome,
  readAmount,
  readChoice,
  readId,
  readText,
  refusal,
  wrongUsage,
} from './command.ts'
import { findUser } from './find-users.ts'
import { moment, money, table } from './print.ts'

const LISTED = 50

/** Customers' wallets, and the shop's adjustments to them. */
export const walletCommands: readonly Command[] = [
  {
    name: 'wallet',
    usage: '<user>',
    summary: `Shows the balance of a wallet and its newest ${LISTED} movements.`,
    async run(deps, { args: [typed = ''] }) {
      const { id: userId } = await findUser(deps, typed)
      const filter = { userId, page: 0, size: LISTED }
      const wallet = await readCustomerWallet(deps.database.kysely, filter)
      if (!wallet) throw refusal(`There is no account ${typed}.`)
      const { customer, balance, movements } = wallet
      const left = await readLeft(deps)
      return {
        lines: [
          `${customer.name} <${customer.email}>: ${money(balance)}`,
          describeLeft(left),
          ...table('Nothing has moved.', movements, {
            at: ({ createdAt }) => moment(new Date(createdAt)),
            kind: ({ kind }) => kind,
            amount: ({ amount }) => money(amount),
            after: ({ balanceAfter }) => money(balanceAfter),
            order: ({ orderId }) => orderId,
            note: ({ note, by }) => (by ? `${note} (${by})` : note),
          }),
        ],
        json: {
          customer,
          balance: inDinars(balance),
          leftAlone: inDinars(left),
          movements: movements.map((movement) => ({
            ...movement,
            amount: inDinars(movement.amount),
            balanceAfter: inDinars(movement.balanceAfter),
          })),
        },
      }
    },
  },
  {
    name: 'adjust',
    usage: '<user> <give|take> <dinars> <reason>',
    summary: 'Puts money into a wallet, or takes it out, for a reason that is kept.',
    details: [
      `What goes beyond ${money(ADJUSTMENT_ALONE_MAX)} within 24 hours, over all wallets together, an administrator has to confirm in the office.`,
    ],
    async run(deps, { args: [typed = '', way, sum = '', why] }) {
      const { id: userId } = await findUser(deps, typed)
      if (way !== 'give' && way !== 'take') throw wrongUsage(`"${way}" is neither give nor take.`)
      const read = readAmount('The amount', sum)
      if (read <= 0 || read > ADJUSTMENT_MAX) {
        throw wrongUsage(`"${sum}" is not an amount above 0, up to ${money(ADJUSTMENT_MAX)}.`)
      }
      const reason = readText('A reason', why, STAFF_REASON_MAX_LENGTH)
      const amount = way === 'give' ? read : -read
      const { lines, json } = await show(
        deps,
        await adjust(deps, { userId, amount, reason }, BY_COMMAND),
      )
      return { lines: [...lines, describeLeft(await readLeft(deps))], json }
    },
  },
  {
    name: 'adjustments',
    usage: '',
    summary: `Lists the newest ${LISTED} adjustments of wallets that wait for a second person.`,
    options: {
      state: { type: 'string', about: `instead those that are ${ADJUSTMENT_STATES.join(', ')}` },
    },
    async run({ database }, { options }) {
      const state = readChoice('--state', options.state, ADJUSTMENT_STATES) ?? 'proposed'
      const filter = { state, page: 0, size: LISTED, actor: COMMAND_LINE }
      const { adjustments } = await listAdjustments(database.kysely, filter)
      return {
        lines: table('There are no such adjustments.', adjustments, {
          adjustment: ({ id }) => id,
          amount: ({ amount }) => money(amount),
          since: ({ proposedAt }) => moment(new Date(proposedAt)),
          by: ({ proposer }) => proposer,
          customer: ({ customer }) => `${customer.name} <${customer.email}>`,
          reason: ({ reason }) => reason,
        }),
        json: adjustments.map(({ isYours: _, ...each }) => ({
          ...each,
          amount: inDinars(each.amount),
        })),
      }
    },
  },
  {
    name: 'adjustment',
    usage: '<adjustment> <confirm|refuse|withdraw> [reason]',
    summary:
      'Confirms or refuses an adjustment that an administrator proposed, or withdraws one proposed here.',
    async run(deps, { args: [typed, way, why] }) {
      const id = readId(typed, 'adjustment')
      if (way === 'confirm') return show(deps, await confirmAdjustment(deps, id, BY_COMMAND))
      if (way === 'withdraw') return show(deps, await withdrawAdjustment(deps, id, BY_COMMAND))
      if (way !== 'refuse') throw wrongUsage(`"${way}" is neither confirm, refuse nor withdraw.`)
      const reason = readText('A reason', why, STAFF_REASON_MAX_LENGTH)
      return show(deps, await refuseAdjustment(deps, { id, reason }, BY_COMMAND))
    },
  },
]

/** What this command line may still adjust without an administrator. */
const readLeft = ({ database, now }: Deps) =>
  readLeftAlone(database.kysely, COMMAND_LINE, new Date(now()))

const describeLeft = (left: Millimes) =>
  `Of ${money(ADJUSTMENT_ALONE_MAX)} within 24 hours, ${money(left)} are left to adjust without an administrator.`

async function show({ database }: Deps, id: number): Promise<Outcome> {
  const { isYours: _, ...adjustment } = await readAdjustment(database.kysely, {
    id,
    actor: COMMAND_LINE,
  })
  const { amount, customer, state } = adjustment
  return {
    lines: [`Adjustment ${id} of ${money(amount)} for ${customer.name}: ${state}.`],
    json: { ...adjustment, amount: inDinars(amount) },
  }
}
