import * as s from 'superstruct'
import { LANGUAGES } from '../rules/languages.ts'
import { PERIOD_UNITS } from '../rules/tunisia-time.ts'
import { defineCall } from './call.ts'
import { day, dinarAmount, id, nothing, signedDinars, whole } from './values.ts'

const count = () => whole(0, 999_999_999)

/** The figures of a period. Amounts come from the ledger, as in the closing of each day. */
export const PeriodSums = s.type({
  /** Paid orders that were not free, and their documents. */
  orders: count(),
  documents: count(),
  /** The sum paid for documents, and the sum refunded for these or earlier sales. */
  gross: dinarAmount(),
  refunds: dinarAmount(),
  /** The shop's and the teachers' parts of the remaining sum. */
  shop: signedDinars(),
  teachers: signedDinars(),
  /** What codes of the shop took off, less what refunds took back: a part of the shop's. */
  codes: signedDinars(),
  /** The sums paid into wallets, by payment method. */
  card: dinarAmount(),
  bank_transfer: dinarAmount(),
  d17: dinarAmount(),
  /** The number of buyers who paid for the first time, and of those who had paid before. */
  newBuyers: count(),
  returningBuyers: count(),
  /** The number of visits from outside, and of documents viewed, put into a cart, and ordered. */
  visits: count(),
  details: count(),
  cart: count(),
  ordered: count(),
})
export type PeriodSums = s.Infer<typeof PeriodSums>

/** `day()` does not allow the period before the first one. */
const dayOrEarlier = () => s.pattern(s.string(), /^\d{4}-\d\d-\d\d$/)
const Days = s.type({ from: dayOrEarlier(), to: dayOrEarlier() })

const FigurePoint = s.type({ at: dayOrEarlier(), net: signedDinars(), topUps: dinarAmount() })
export type FigurePoint = s.Infer<typeof FigurePoint>

/** The amounts that the shop owes at this moment. */
const Owed = s.type({
  wallets: dinarAmount(),
  /**
   * The amount that could be paid out to teachers now, and the part of it that they have requested.
   */
  payable: dinarAmount(),
  requested: dinarAmount(),
  /** The teachers' recent earnings, which cannot be paid out yet. */
  held: dinarAmount(),
  /** The amount that refunds took back after it was paid out to teachers. */
  overpaid: dinarAmount(),
})
export type Owed = s.Infer<typeof Owed>

export const Figures = s.type({
  unit: s.enums(PERIOD_UNITS),
  period: Days,
  /**
   * Whether the period is still running; then `before` has the same number of days of the previous
   * one.
   */
  isRunning: s.boolean(),
  before: Days,
  sums: PeriodSums,
  sumsBefore: PeriodSums,
  /** By day, or for a year by month. */
  points: s.array(FigurePoint),
  owed: Owed,
})
export type Figures = s.Infer<typeof Figures>

const query = {
  unit: s.enums(PERIOD_UNITS),
  /** A day of the period; by default today. */
  at: s.optional(day()),
}

export const getFigures = defineCall('GET /office/admin/figures', 'admin', {
  query: s.object(query),
  result: Figures,
})

const BestDocument = s.type({ id: id(), title: s.string(), sales: count(), gross: dinarAmount() })
const BestTeacher = s.type({
  id: id(),
  name: s.string(),
  sales: count(),
  gross: dinarAmount(),
  share: dinarAmount(),
})
const EmptySearch = s.type({ words: s.string(), count: count() })

/**
 * The best-selling documents and teachers, without refunded sales, and the searches that found
 * nothing; highest numbers first.
 */
export const Rankings = s.type({
  documents: s.array(BestDocument),
  teachers: s.array(BestTeacher),
  searches: s.array(EmptySearch),
})
export type Rankings = s.Infer<typeof Rankings>

export const getRankings = defineCall('GET /office/admin/figures/rankings', 'admin', {
  query: s.object(query),
  result: Rankings,
})

/** The tables of the page; each can be downloaded as CSV. */
export const FIGURE_TABLES = [
  'sums',
  'points',
  'owed',
  'documents',
  'teachers',
  'searches',
] as const
export type FigureTable = (typeof FIGURE_TABLES)[number]

/** A table as CSV: UTF-8 with a BOM and semicolons, for Excel. */
export const downloadFigures = defineCall('GET /office/admin/figures/csv', 'admin', {
  query: s.object({
    ...query,
    table: s.enums(FIGURE_TABLES),
    locale: s.optional(s.enums(LANGUAGES)),
  }),
  answers: 'file',
  result: nothing(),
})
