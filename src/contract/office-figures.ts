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
import { PERIOD_UNITS } from '../rules/office-periods.ts'
import { defineCall } from './call.ts'
import { day, dinarAmount, id, nothing, signedDinars, whole } from './values.ts'

const count = () => whole(0, 999_999_999)

/** What happened within some days. Amounts are the ledger's, as in the closing of each day. */
export const PeriodSums = type({
  /** Paid orders that cost something, and the documents of them. */
  orders: count(),
  documents: count(),
  /** What was paid for documents, and what of it, or of earlier sales, was given back. */
  gross: dinarAmount(),
  refunds: dinarAmount(),
  /** What of the rest is the shop's and the teachers'. */
  shop: signedDinars(),
  teachers: signedDinars(),
  /** What came into wallets, by way of payment. */
  card: dinarAmount(),
  bank_transfer: dinarAmount(),
  d17: dinarAmount(),
  /** Who paid for the first time, and who had before. */
  newBuyers: count(),
  returningBuyers: count(),
  /** Pages that were come to from elsewhere, documents looked at, put into a cart, and ordered. */
  visits: count(),
  details: count(),
  cart: count(),
  ordered: count(),
})
export type PeriodSums = Infer<typeof PeriodSums>

/** The period before the first one is earlier than any `day()`. */
const dayOrEarlier = () => pattern(string(), /^\d{4}-\d\d-\d\d$/)
const Days = type({ from: dayOrEarlier(), to: dayOrEarlier() })

const FigurePoint = type({ at: dayOrEarlier(), net: signedDinars(), topUps: dinarAmount() })
export type FigurePoint = Infer<typeof FigurePoint>

/** What the shop owes at this moment. */
const Owed = type({
  wallets: dinarAmount(),
  /** What teachers could be paid now; of it, what they have asked for. */
  payable: dinarAmount(),
  requested: dinarAmount(),
  /** What teachers earned so lately that it cannot be paid out yet. */
  held: dinarAmount(),
  /** What teachers were paid and refunds took back afterwards. */
  overpaid: dinarAmount(),
})
export type Owed = Infer<typeof Owed>

export const Figures = type({
  unit: enums(PERIOD_UNITS),
  period: Days,
  /** Whether the period is still running; then `before` is as many days of the one before. */
  isRunning: boolean(),
  before: Days,
  sums: PeriodSums,
  sumsBefore: PeriodSums,
  /** By day, or of a year by month. */
  points: array(FigurePoint),
  owed: Owed,
})
export type Figures = Infer<typeof Figures>

const query = {
  unit: enums(PERIOD_UNITS),
  /** A day of the period; today unless said. */
  at: optional(day()),
}

export const getFigures = defineCall({
  method: 'GET',
  path: '/office/admin/figures',
  caller: 'admin',
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

/** What sold best and was kept, and what was searched for and not found, most first. */
export const Rankings = type({
  documents: array(BestDocument),
  teachers: array(BestTeacher),
  searches: array(EmptySearch),
})
export type Rankings = Infer<typeof Rankings>

export const getRankings = defineCall({
  method: 'GET',
  path: '/office/admin/figures/rankings',
  caller: 'admin',
  query: object(query),
  result: Rankings,
})

/** The tables of the page, each of which can be had as CSV. */
export const FIGURE_TABLES = [
  'sums',
  'points',
  'owed',
  'documents',
  'teachers',
  'searches',
] as const
export type FigureTable = (typeof FIGURE_TABLES)[number]

/** A table as CSV: UTF-8 with a BOM and semicolons, as Excel opens it. */
export const downloadFigures = defineCall({
  method: 'GET',
  path: '/office/admin/figures/csv',
  caller: 'admin',
  query: object({
    ...query,
    table: enums(FIGURE_TABLES),
    locale: optional(enums(LANGUAGES)),
  }),
  answers: 'file',
  result: nothing(),
})
