import { is } from 'superstruct'
import { day } from '../../contract/values.ts'
import { TEXTS } from '../../i18n/texts.ts'
import { inDinars } from '../../rules/money.ts'
import { tunisianDay } from '../../rules/tunisia-time.ts'
import { closeDay, readClosing } from '../money/money.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import { type Command, EXIT, notA } from './command.ts'
import { moment, money, table } from './print.ts'

/** The daily closing of the whole shop's money. */
export const closingCommands: readonly Command[] = [
  {
    name: 'closing',
    usage: '[day]',
    summary:
      'Shows what moved on a day (by default today), and the balances of all accounts after it.',
    details: ['Exit code 1 when the shop’s records and its ledger differ.'],
    options: { record: { type: 'boolean', about: 'records that the day is closed' } },
    async run(deps, { args: [typed], options }) {
      const wanted = typed ?? tunisianDay(new Date(deps.now()))
      if (!is(wanted, day())) throw notA('day', wanted, '2026-11-22')
      if (options.record) await closeDay(deps, { day: wanted, actor: COMMAND_LINE })
      const closing = await readClosing(deps, wanted)
      const { lines, balances, difference, closedBy } = closing
      const names = TEXTS.en['office-money'].closing
      return {
        exit: difference === 0 ? EXIT.done : EXIT.no,
        lines: [
          ...table('Nothing moved.', lines, {
            line: ({ line }) => names.lines[line],
            count: ({ count }) => count,
            recorded: ({ recorded }) => money(recorded),
            booked: ({ booked }) => money(booked),
          }),
          '',
          ...table('There are no accounts.', balances, {
            account: ({ account }) => names.accounts[account],
            opening: ({ opening }) => money(opening),
            moved: ({ moved }) => money(moved),
            closing: (balance) => money(balance.closing),
          }),
          '',
          `Difference: ${money(difference)}`,
          ...closedBy.map(
            ({ by, at, isSame }) =>
              `Closed ${moment(new Date(at))} by ${by}${isSame ? '' : '; more has moved since'}`,
          ),
        ],
        json: {
          ...closing,
          lines: lines.map((line) => ({
            ...line,
            recorded: inDinars(line.recorded),
            booked: inDinars(line.booked),
          })),
          balances: balances.map((balance) => ({
            ...balance,
            opening: inDinars(balance.opening),
            moved: inDinars(balance.moved),
            closing: inDinars(balance.closing),
          })),
          difference: inDinars(difference),
        },
      }
    },
  },
]
