import type { Figures, FigureTable, PeriodSums, Rankings } from '../../contract/office-figures.ts'
import type { Locale } from '../../i18n/locales.ts'
import { TEXTS } from '../../i18n/texts.ts'
import { type Cell, csvTable } from '../../rules/csv.ts'
import { inDinars } from '../../rules/money.ts'
import type { Deps } from '../deps.ts'
import { readRankings } from './rankings.ts'
import { type FiguresFilter, readFigures } from './read-figures.ts'

/** The sums that are counts, not amounts. */
const COUNTS: ReadonlySet<string> = new Set<keyof PeriodSums>([
  'orders',
  'documents',
  'newBuyers',
  'returningBuyers',
  'visits',
  'details',
  'cart',
  'ordered',
])

/** How many documents and teachers a file lists. */
const BEST_IN_FILE = 200

export async function figuresCsv(
  deps: Pick<Deps, 'database' | 'now' | 'visits'>,
  { table, locale, ...filter }: FiguresFilter & { table: FigureTable; locale: Locale },
): Promise<string> {
  const isRanked = table === 'documents' || table === 'teachers' || table === 'searches'
  const rows = isRanked
    ? rankedRows(await readRankings(deps, filter, BEST_IN_FILE), table, locale)
    : figureRows(await readFigures(deps, filter), table, locale)
  return csvTable(rows)
}

function figureRows(
  { period, before, sums, sumsBefore, points, owed }: Figures,
  table: 'sums' | 'points' | 'owed',
  locale: Locale,
): Cell[][] {
  const { lines, columns, owed: debts } = TEXTS[locale]['office-figures'].figures
  const spanText = ({ from, to }: { from: string; to: string }) =>
    from === to ? from : `${from} – ${to}`
  switch (table) {
    case 'sums':
      return [
        [columns.figure, spanText(period), spanText(before)],
        ...(Object.keys(lines) as (keyof PeriodSums)[]).map((name) => [
          lines[name],
          ...[sums[name], sumsBefore[name]].map((value) =>
            COUNTS.has(name) ? value : inDinars(value),
          ),
        ]),
      ]
    case 'points':
      return [
        [columns.day, columns.net, columns.topUps],
        ...points.map(({ at, net, topUps }) => [at, inDinars(net), inDinars(topUps)]),
      ]
    case 'owed':
      return [
        [columns.figure, columns.amount],
        ...(Object.keys(owed) as (keyof typeof owed)[]).map((name) => [
          debts[name],
          inDinars(owed[name]),
        ]),
      ]
  }
}

function rankedRows(
  { documents, teachers, searches }: Rankings,
  table: 'documents' | 'teachers' | 'searches',
  locale: Locale,
): Cell[][] {
  const { columns } = TEXTS[locale]['office-figures'].figures
  switch (table) {
    case 'documents':
      return [
        [columns.number, columns.document, columns.sales, columns.gross],
        ...documents.map(({ id, title, sales, gross }) => [id, title, sales, inDinars(gross)]),
      ]
    case 'teachers':
      return [
        [columns.number, columns.teacher, columns.sales, columns.gross, columns.share],
        ...teachers.map(({ id, name, sales, gross, share }) => [
          id,
          name,
          sales,
          inDinars(gross),
          inDinars(share),
        ]),
      ]
    case 'searches':
      return [[columns.words, columns.times], ...searches.map(({ words, count }) => [words, count])]
  }
}
