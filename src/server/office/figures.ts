import { is } from 'superstruct'
import { FIGURE_TABLES, type PeriodSums } from '../../contract/office-figures.ts'
import { day } from '../../contract/values.ts'
import { inDinars } from '../../rules/money.ts'
import { PERIOD_UNITS } from '../../rules/office-periods.ts'
import { ORDER_METHODS } from '../../rules/payment-methods.ts'
import { figuresCsv, readFigures, readRankings } from '../figures/figures.ts'
import { type Command, readChoice, wrongUsage } from './command.ts'
import { money, table } from './print.ts'

const AMOUNTS = ['gross', 'refunds', 'shop', 'teachers', ...ORDER_METHODS] as const

/** The commands that print the shop's figures. */
export const figureCommands: readonly Command[] = [
  {
    name: 'figures',
    usage: '[day|month|year] [date]',
    summary: 'Shows sales, top-ups, buyers and visits of a period (this month unless said).',
    details: [
      'Beside them the period before; of one that is still running, as many days of it.',
      'figures day 2026-11-22          one day',
      'figures year --csv documents    the documents that sold best this year, as CSV',
    ],
    options: {
      csv: { type: 'string', about: `one table as CSV: ${FIGURE_TABLES.join(', ')}` },
    },
    async run(deps, { args: [typed, at], options }) {
      const unit = readChoice('The period', typed, PERIOD_UNITS) ?? 'month'
      if (at !== undefined && !is(at, day())) {
        throw wrongUsage(`"${at}" is no day: one like 2026-11-22 is.`)
      }
      const filter = { unit, at }
      const csvTable = readChoice('--csv', options.csv, FIGURE_TABLES)
      if (csvTable) {
        const csv = await figuresCsv(deps, { ...filter, table: csvTable, locale: 'en' })
        return { lines: csv.replace('\uFEFF', '').trimEnd().split('\r\n'), json: { csv } }
      }
      const figures = await readFigures(deps, filter)
      const rankings = await readRankings(deps, filter)
      const { period, before, sums, sumsBefore, points, owed } = figures
      const shown = (name: keyof PeriodSums, value: number) =>
        isAmount(name) ? money(value) : value
      const names = Object.keys(sums) as (keyof PeriodSums)[]
      return {
        lines: [
          `${period.from} to ${period.to}, beside ${before.from} to ${before.to}`,
          '',
          ...table('', names, {
            figure: (name) => name,
            now: (name) => shown(name, sums[name]),
            before: (name) => shown(name, sumsBefore[name]),
          }),
          '',
          ...table('', Object.entries(owed), {
            owed: ([name]) => name,
            amount: ([, amount]) => money(amount),
          }),
          '',
          ...table('Nothing was sold.', rankings.documents, {
            sales: ({ sales }) => sales,
            gross: ({ gross }) => money(gross),
            document: ({ id, title }) => `${id} ${title}`,
          }),
        ],
        json: {
          ...figures,
          sums: dinarsOf(sums),
          sumsBefore: dinarsOf(sumsBefore),
          points: points.map(({ at, net, topUps }) => ({
            at,
            net: inDinars(net),
            topUps: inDinars(topUps),
          })),
          owed: Object.fromEntries(
            Object.entries(owed).map(([name, amount]) => [name, inDinars(amount)]),
          ),
          documents: rankings.documents.map((one) => ({ ...one, gross: inDinars(one.gross) })),
          teachers: rankings.teachers.map((one) => ({
            ...one,
            gross: inDinars(one.gross),
            share: inDinars(one.share),
          })),
          searches: rankings.searches,
        },
      }
    },
  },
]

const isAmount = (name: string) => AMOUNTS.some((amount) => amount === name)

function dinarsOf(sums: PeriodSums) {
  return Object.fromEntries(
    Object.entries(sums).map(([name, value]) => [name, isAmount(name) ? inDinars(value) : value]),
  )
}
