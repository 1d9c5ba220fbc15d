import type { Figures, FigureTable, Rankings } from '../../contract/office-figures.ts'
import * as figures from '../../contract/office-figures.ts'
import type { Language } from '../../rules/languages.ts'
import { PERIOD_UNITS, type PeriodUnit, periodOf } from '../../rules/office-periods.ts'
import { daysAfter, tunisianDay } from '../../rules/tunisia-time.ts'
import { ask } from './backend.ts'
import { saveCsv } from './csv.ts'
import { createChoiceLoader } from './loader.ts'

/** The period that the page shows: the one that the day `at` is in. */
export interface FigureView {
  readonly unit: PeriodUnit
  readonly at: string
}

const reading = createChoiceLoader<Figures>('figures')
export const $figures = reading.$state
export const loadFigures = (query: FigureView): Promise<void> =>
  reading.load(() => ask(figures.getFigures, { query }))

const ranking = createChoiceLoader<Rankings>('rankings')
export const $rankings = ranking.$state
export const loadRankings = (query: FigureView): Promise<void> =>
  ranking.load(() => ask(figures.getRankings, { query }))

/** The period that the page's address names, else this month. */
export function viewInAddress(): FigureView {
  const query = new URLSearchParams(location.search)
  const at = query.get('at') ?? ''
  const isDay = /^20\d\d-\d\d-\d\d$/.test(at) && !Number.isNaN(Date.parse(at))
  return {
    unit: PERIOD_UNITS.find((unit) => unit === query.get('unit')) ?? 'month',
    at: isDay ? at : tunisianDay(new Date()),
  }
}

/** The period before, or after where `by` is 1. */
export function neighbourOf({ unit, at }: FigureView, by: 1 | -1): FigureView {
  const { from, to } = periodOf(unit, at)
  return { unit, at: by > 0 ? daysAfter(to, 1) : daysAfter(from, -1) }
}

/** Whether a period has begun. */
export const hasBegun = ({ unit, at }: FigureView): boolean =>
  periodOf(unit, at).from <= tunisianDay(new Date())

/** Downloads one table as CSV with headings in a language; returns the problem, if any. */
export const downloadTable = (view: FigureView, table: FigureTable, locale: Language) =>
  saveCsv(
    () => ask(figures.downloadFigures, { query: { ...view, table, locale } }),
    `karras-${table}-${periodOf(view.unit, view.at).from}.csv`,
  )
