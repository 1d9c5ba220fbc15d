import type { FigureTable } from '../../../contract/office-figures.ts'
import * as figures from '../../../contract/office-figures.ts'
import type { Language } from '../../../rules/languages.ts'
import {
  daysAfter,
  PERIOD_UNITS,
  type PeriodUnit,
  periodOf,
  tunisianDay,
} from '../../../rules/tunisia-time.ts'
import { ask } from '../../kit/backend.ts'
import { saveCsv } from '../../kit/csv.ts'
import { resourceFor } from '../../kit/loader.ts'

/** The period that the page shows: the one that contains the day `at`. */
export interface FigureView {
  readonly unit: PeriodUnit
  readonly at: string
}

export const { $state: $figures, load: loadFigures } = resourceFor(
  figures.getFigures,
  (query: FigureView) => ({ query }),
)

export const { $state: $rankings, load: loadRankings } = resourceFor(
  figures.getRankings,
  (query: FigureView) => ({ query }),
)

/** The period in the page's URL, or the current month. */
export function viewInAddress(): FigureView {
  const query = new URLSearchParams(location.search)
  const at = query.get('at') ?? ''
  const isDay = /^20\d\d-\d\d-\d\d$/.test(at) && !Number.isNaN(Date.parse(at))
  return {
    unit: PERIOD_UNITS.find((unit) => unit === query.get('unit')) ?? 'month',
    at: isDay ? at : tunisianDay(new Date()),
  }
}

/** The next period if `by` is 1, the previous one if it is -1. */
export function neighbourOf({ unit, at }: FigureView, by: 1 | -1): FigureView {
  const { from, to } = periodOf(unit, at)
  return { unit, at: by > 0 ? daysAfter(to, 1) : daysAfter(from, -1) }
}

/** Whether a period has begun. */
export const hasBegun = ({ unit, at }: FigureView): boolean =>
  periodOf(unit, at).from <= tunisianDay(new Date())

export const downloadTable = (view: FigureView, table: FigureTable, locale: Language) =>
  saveCsv(
    ask(figures.downloadFigures, { query: { ...view, table, locale } }),
    `karras-${table}-${periodOf(view.unit, view.at).from}.csv`,
  )
