import {
  array,
  boolean,
  enums,
  type Infer,
  object,
  optional,
  pattern,
  string,
  type,
} from 'superstruct'
import { LANGUAGES } from '../rules/languages.ts'
import { PERIOD_UNITS } from '../rules/tunisia-time.ts'
import { defineCall } from './call.ts'
import { day, dinarAmount, id, nothing, signedDinars, whole } from './values.ts'

const count = () => whole(0, 999_999_999)

/** The figures of a period. Amounts come from the ledger, as in the closing of each day. */
export const PeriodSums = type({
  /** Paid orders that were not free, and their documents. */
  orders: count(),
  documents: count(),
  /** The sum paid for documents, and the sum refunded for these or earlier sales. */
  gross: dinarAmount(),
  refunds: dinarAmount(),
  /** The shop's and the teachers' parts of the remaining sum. */
  shop: signedDinars(),
  teachers: signedDinars(),
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
export type PeriodSums = Infer<typeof PeriodSums>

/** `day()` does not allow the period before the first one. */
const dayOrEarlier = () => pattern(string(), /^\d{4}-\d\d-\d\d$/)
const Days = type({ from: dayOrEarlier(), to: dayOrEarlier() })

const FigurePoint = type({ at: dayOrEarlier(), net: signedDinars(), topUps: dinarAmount() })
export type FigurePoint = Infer<typeof FigurePoint>

/** The amounts that the shop owes at this moment. */
const Owed = type({
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
export type Owed = Infer<typeof Owed>

export const Figures = type({
  unit: enums(PERIOD_UNITS),
  period: Days,
  /**
   * Whether the period is still running; then `before` has the same number of days of the previous
   * one.
   */
  isRunning: boolean(),
  before: Days,
  sums: PeriodSums,
  sumsBefore: PeriodSums,
  /** By day, or for a year by month. */
  points: array(FigurePoint),
  owed: Owed,
})
export type Figures = Infer<typeof Figures>

const query = {
  unit: enums(PERIOD_UNITS),
  /** A day of the period; by default today. */
  at: optional(day()),
}

export const getFigures = defineCall('GET /office/admin/figures', 'admin', {
  query: object(query),
  result: Figures,
})

const BestDocument = type({ id: id(), title: string(), sales: count(), gross: dinarAmount() })
const BestTeacher = type({
  id: id(),
  name: string(),
  sales: count(),
  gross: dinarAmount(),
  share: dinarAmount(),
})
const EmptySearch = type({ words: string(), count: count() })

/**
 * The best-selling documents and teachers, without refunded sales, and the searches that found
 * nothing; highest numbers first.
 */
export const Rankings = type({
  documents: array(BestDocument),
  teachers: array(BestTeacher),
  searches: array(EmptySearch),
})
export type Rankings = Infer<typeof Rankings>

export const getRankings = defineCall('GET /office/admin/figures/rankings', 'admin', {
  query: object(query),
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
  query: object({
    ...query,
    table: enums(FIGURE_TABLES),
    locale: optional(enums(LANGUAGES)),
  }),
  answers: 'file',
  result: nothing(),
})
