import type { Closing } from '../../../contract/office-closings.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { TEXTS } from '../../../i18n/texts.ts'
import { type Cell, csvTable } from '../../../rules/csv.ts'
import { inDinars } from '../../../rules/money.ts'

/** A day's closing as CSV: its lines, then the accounts. */
export function closingCsv(closing: Closing, locale: Locale): string {
  const { columns, lines, accounts, difference } = TEXTS[locale]['office-money'].closing
  const rows: Cell[][] = [
    [closing.day, columns.count, columns.recorded, columns.booked, columns.difference],
    ...closing.lines.map(({ line, count, recorded, booked }) => [
      lines[line],
      count,
      inDinars(recorded),
      inDinars(booked),
      inDinars(booked - recorded),
    ]),
    [],
    [columns.account, columns.opening, columns.moved, columns.closing],
    ...closing.balances.map(({ account, opening, moved, closing: end }) => [
      accounts[account],
      inDinars(opening),
      inDinars(moved),
      inDinars(end),
    ]),
    [],
    [difference, null, null, inDinars(closing.difference)],
  ]
  return csvTable(rows)
}
